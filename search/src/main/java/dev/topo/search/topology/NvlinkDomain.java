package dev.topo.search.topology;

import dev.topo.model.Alike;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.xml.Attributes;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlNode;
import dev.topo.model.xml.XmlTreeNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The files of hosts whose GPUs are in one NVLink domain (MNNVL), joined to one {@code <system>} as
 * NCCL's ranks join theirs ({@code ncclTopoFuseXml}, {@code nccl:src/graph/xml.cc}): the CPUs of
 * all hosts, each with the {@code host_hash} of its host. A dump of such a job has the same form.
 */
public final class NvlinkDomain {
  private static final String HOST = "host_hash";

  /** Offset added to a guid that another host already uses: guids are unique in a domain. */
  private static final long NEXT_GUID = 0x100000;

  private NvlinkDomain() {}

  /**
   * A GPU of a domain.
   *
   * @param host number of its host, from 0
   * @param dev its device number there
   */
  public record HostGpu(int host, int dev) {}

  /**
   * Joins hosts to a domain. Ranks are numbered system by system, within each in the order of its
   * stated ranks, else host by host.
   *
   * @param systems the {@code <system>} of each host; one with several hosts adds all of them
   */
  public static XmlElement fuse(List<XmlElement> systems) {
    List<XmlElement> hosts = new ArrayList<>();
    List<Map<XmlElement, Integer>> ranks = new ArrayList<>();
    int next = 0;
    for (XmlElement system : systems) {
      List<XmlElement> members = hosts(system);
      List<XmlElement> gpus = new ArrayList<>(gpus(members));
      if (gpus.stream().allMatch(gpu -> statedRank(gpu) >= 0)) {
        gpus.sort(Comparator.comparingInt(NvlinkDomain::statedRank));
      }
      Map<XmlElement, Integer> rankOf = new IdentityHashMap<>();
      for (XmlElement gpu : gpus) {
        rankOf.put(gpu, next++);
      }
      members.forEach(host -> ranks.add(rankOf));
      hosts.addAll(members);
    }
    return join(hosts, ranks);
  }

  /** The document of a domain of {@code hosts} hosts equal to {@code host}. */
  public static XmlDocument ofEqual(XmlDocument host, int hosts) {
    return new XmlDocument(
        host.before(), fuse(Collections.nCopies(hosts, host.root())), host.after());
  }

  /**
   * Joins hosts of a domain again after changes. GPUs keep their ranks; a GPU without a rank, or
   * with the rank of a GPU of an earlier host, follows all others. A host without GPUs is left out.
   */
  public static XmlElement rejoin(List<XmlElement> hosts) {
    List<XmlElement> gpus = gpus(hosts);
    int next = 1 + gpus.stream().mapToInt(NvlinkDomain::statedRank).max().orElse(-1);
    Set<Integer> taken = new HashSet<>();
    Map<XmlElement, Integer> rankOf = new IdentityHashMap<>();
    for (XmlElement gpu : gpus) {
      int stated = statedRank(gpu);
      rankOf.put(gpu, stated >= 0 && taken.add(stated) ? stated : next++);
    }
    return only(join(hosts, Collections.nCopies(hosts.size(), rankOf)), gpu -> true);
  }

  private static List<XmlElement> gpus(List<XmlElement> hosts) {
    return hosts.stream()
        .flatMap(host -> JobDevices.find(host, GpuSelection.ALL).gpusByRank().stream())
        .toList();
  }

  private static int statedRank(XmlElement gpu) {
    return new Attributes(gpu).integer("rank", -1);
  }

  /**
   * Numbers hosts and joins them.
   *
   * @param ranks the ranks of the GPUs, for each host: one file may appear as several hosts
   */
  private static XmlElement join(List<XmlElement> hosts, List<Map<XmlElement, Integer>> ranks) {
    List<XmlNode> cpus = new ArrayList<>();
    Set<Long> guids = new HashSet<>();
    for (int h = 0; h < hosts.size(); h++) {
      JobDevices devices = JobDevices.find(hosts.get(h), GpuSelection.ALL);
      Host numbered = new Host(devices, h + 1, ranks.get(h), guids);
      hosts.get(h).elements("cpu").forEach(cpu -> cpus.add(numbered.number(cpu)));
      guids.addAll(numbered.ownGuids);
    }
    return hosts.get(0).with(cpus);
  }

  /**
   * Splits a file into one {@code <system>} per host, in their order. A CPU without a {@code
   * host_hash} is on the first host.
   */
  public static List<XmlElement> hosts(XmlElement system) {
    String first =
        system.elements("cpu").stream()
            .flatMap(cpu -> cpu.attribute(HOST).stream())
            .findFirst()
            .orElse("");
    Map<String, List<XmlElement>> cpusOfHost =
        Alike.by(system.elements("cpu"), cpu -> cpu.attribute(HOST).orElse(first));
    return cpusOfHost.size() < 2
        ? List.of(system)
        : cpusOfHost.values().stream().map(system::with).toList();
  }

  /** True if a file has several hosts. */
  public static boolean hasSeveralHosts(XmlElement system) {
    return hosts(system).size() > 1;
  }

  /**
   * The system with its hosts changed; empty if no host is.
   *
   * @param change changes a host, whose ports have the device numbers that NCCL gives them, and
   *     returns whether it did
   */
  static Optional<XmlElement> changed(XmlElement system, Predicate<XmlTreeNode> change) {
    List<XmlNode> cpus = new ArrayList<>();
    boolean isChanged = false;
    for (XmlElement host : hosts(system)) {
      XmlTreeNode tree = XmlTreeNode.of(host);
      Iterator<Integer> devs = JobDevices.find(host, GpuSelection.ALL).netDevs().iterator();
      tree.all("net").forEach(net -> net.set("dev", devs.next()));
      isChanged |= change.test(tree);
      cpus.addAll(tree.toElement().children());
    }
    return isChanged ? Optional.of(system.with(cpus)) : Optional.empty();
  }

  /**
   * The domain of the selected GPUs: hosts without any are dropped, as no rank detects their
   * devices. A domain of one host is that host alone.
   */
  public static XmlElement only(XmlElement system, Predicate<HostGpu> taken) {
    List<XmlNode> cpus = new ArrayList<>();
    List<XmlElement> hosts = hosts(system);
    for (int h = 0; h < hosts.size(); h++) {
      int host = h;
      JobDevices devices = JobDevices.find(hosts.get(h), GpuSelection.ALL);
      Set<XmlElement> dropped = Collections.newSetFromMap(new IdentityHashMap<>());
      for (XmlElement gpu : devices.gpusByRank()) {
        JobDevices.GpuNumbers numbers = devices.gpu(gpu);
        if (numbers != null && !taken.test(new HostGpu(host, numbers.dev()))) {
          dropped.add(gpu);
        }
      }
      if (dropped.size() < devices.gpusByRank().size()) {
        hosts.get(h).elements("cpu").forEach(cpu -> cpus.add(without(cpu, dropped)));
      }
    }
    return system.with(cpus);
  }

  private static XmlElement without(XmlElement element, Set<XmlElement> dropped) {
    return element.with(
        element.replaced(
            child ->
                dropped.contains(child) ? Stream.empty() : Stream.of(without(child, dropped))));
  }

  /** A host whose devices get the numbers that they have in the domain. */
  private static final class Host {
    private final JobDevices devices;
    private final int number;
    private final Map<XmlElement, Integer> ranks;
    private final Set<Long> guidsOfOthers;
    private final Set<Long> ownGuids = new HashSet<>();

    Host(JobDevices devices, int number, Map<XmlElement, Integer> ranks, Set<Long> guidsOfOthers) {
      this.devices = devices;
      this.number = number;
      this.ranks = ranks;
      this.guidsOfOthers = guidsOfOthers;
    }

    XmlElement number(XmlElement element) {
      Map<String, String> attributes = new LinkedHashMap<>(element.attributes());
      switch (element.name()) {
        case "cpu" -> attributes.put(HOST, "0x" + Integer.toHexString(number));
        case "gpu" -> numberGpu(element, attributes);
        case "net" -> {
          attributes.put("dev", String.valueOf(devices.netDev(element)));
          attributes.computeIfPresent("guid", (name, guid) -> ownGuid(guid));
        }
        default -> {}
      }
      return element.with(attributes, element.replaced(child -> Stream.of(number(child))));
    }

    private void numberGpu(XmlElement element, Map<String, String> attributes) {
      JobDevices.GpuNumbers numbers = devices.gpu(element);
      if (numbers != null) {
        attributes.put("dev", String.valueOf(numbers.dev()));
        attributes.put("rank", String.valueOf(ranks.getOrDefault(element, -1)));
      }
    }

    private String ownGuid(String text) {
      if (!text.matches("0x[0-9a-fA-F]{1,15}")) {
        return text;
      }
      long guid = Long.parseLong(text.substring(2), 16);
      while (guidsOfOthers.contains(guid)) {
        guid += NEXT_GUID;
      }
      ownGuids.add(guid);
      return "0x" + Long.toHexString(guid);
    }
  }
}
