package dev.topo.search.topology;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Topology;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.RankList;
import dev.topo.model.job.SettingException;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.NvlinkDomain.HostGpu;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Builds the machines of a job from files, each of one host or an NVLink domain of several. Caches
 * its results; not thread-safe.
 */
public final class JobMachines {
  private final HostFiles input;
  private final GpuSelection selection;
  private final NcclSettings settings;
  private final NcclProfile profile;
  private final Map<Hosts, Machine> machines = new HashMap<>();
  private final Map<List<Path>, XmlElement> systems = new HashMap<>();
  private final Map<String, Topology> byShape = new HashMap<>();

  /** Reads the files of hosts. */
  public interface HostFiles {
    /** The {@code <system>} element of a file that has a GPU. */
    XmlElement system(Path file);

    /** The topology of a file with the selected GPUs. */
    Topology topology(Path file, GpuSelection gpus, NcclProfile profile);

    /** The topology of hosts that NVLink joins, or of GPUs in another order. */
    Topology topology(XmlElement system, GpuSelection gpus, NcclProfile profile);

    /** True if parts of equal shape share a topology, although hosts and chips differ. */
    default boolean sharesShapes() {
      return true;
    }
  }

  /**
   * Machines from files.
   *
   * @param selection the GPUs that take part
   * @param settings the settings of the processes on them
   * @param profile the rules by which their topologies are built
   */
  public JobMachines(
      HostFiles input, GpuSelection selection, NcclSettings settings, NcclProfile profile) {
    this.input = input;
    this.selection = selection;
    this.settings = settings;
    this.profile = profile;
  }

  /**
   * The hosts of a machine.
   *
   * @param files the file of each host
   * @param order the GPUs in rank order; empty for all in the order of the files
   */
  public record Hosts(List<Path> files, Optional<List<HostGpu>> order) {
    public Hosts {
      files = List.copyOf(files);
      order = order.map(List::copyOf);
    }

    public static Hosts all(List<Path> files) {
      return new Hosts(files, Optional.empty());
    }
  }

  /** The job of the given machines; equal machines are one object. */
  public Job job(List<Hosts> inRankOrder) {
    return new Job(
        inRankOrder.stream()
            .map(
                hosts ->
                    machines.computeIfAbsent(hosts, key -> new Machine(topology(hosts), settings)))
            .toList());
  }

  private Topology topology(Hosts hosts) {
    if (hosts.order().isPresent()) {
      return ofShape(RankFusion.inRankOrder(system(hosts.files()), hosts.order().get()));
    }
    return hosts.files().size() == 1
        ? input.topology(hosts.files().get(0), selection, profile)
        : input.topology(system(hosts.files()), selection, profile);
  }

  /**
   * The topology of a machine with the given GPUs, in rank order; equal parts share one topology.
   *
   * @throws SettingException if several GPUs have the same device number
   */
  public Topology some(Hosts hosts, List<GpuNode> gpus) {
    List<HostGpu> taken = gpus.stream().map(JobMachines::hostGpu).toList();
    Path file = hosts.files().get(0);
    if (new HashSet<>(taken).size() < gpus.size()) {
      throw new SettingException(
          "%s has several GPUs with the same dev, expected one dev for each".formatted(file));
    }
    if (hosts.order().isPresent()) {
      return ofShape(RankFusion.inRankOrder(system(hosts.files()), taken));
    }
    XmlElement system = system(hosts.files());
    return NvlinkDomain.hasSeveralHosts(system)
        ? ofShape(NvlinkDomain.only(system, taken::contains))
        : input.topology(
            file,
            GpuSelection.of(taken.stream().map(HostGpu::dev).collect(Collectors.toSet())),
            profile);
  }

  private Topology ofShape(XmlElement system) {
    if (!input.sharesShapes()) {
      return input.topology(system, GpuSelection.ALL, profile);
    }
    return byShape.computeIfAbsent(
        DomainShape.of(system), shape -> input.topology(system, GpuSelection.ALL, profile));
  }

  private XmlElement system(List<Path> files) {
    return systems.computeIfAbsent(
        files,
        hosts -> {
          List<XmlElement> each = hosts.stream().map(input::system).toList();
          return each.size() == 1 ? each.get(0) : NvlinkDomain.fuse(each);
        });
  }

  /**
   * The machines of a job whose ranks have another order.
   *
   * @param usual the machines in the usual order
   * @throws IllegalArgumentException if a rank is not in the job, or the ranks of a machine are not
   *     consecutive in the list
   */
  public List<Hosts> inOrder(List<Hosts> usual, RankList list) {
    List<Machine> inJob = job(usual).machines();
    List<Integer> machineOf = new ArrayList<>();
    List<HostGpu> gpuOf = new ArrayList<>();
    for (int m = 0; m < inJob.size(); m++) {
      for (GpuNode gpu : inJob.get(m).topology().gpusByRank()) {
        machineOf.add(m);
        gpuOf.add(hostGpu(gpu));
      }
    }
    Map<Integer, List<HostGpu>> taken = new LinkedHashMap<>();
    int previous = -1;
    for (int rank : list.ranks()) {
      if (rank >= gpuOf.size()) {
        throw new IllegalArgumentException(
            "rank %s is not in the job, expected 0 to %s".formatted(rank, gpuOf.size() - 1));
      }
      int machine = machineOf.get(rank);
      if (machine != previous && taken.containsKey(machine)) {
        throw new IllegalArgumentException(
            ("rank %s is of node %s, whose other ranks are not next to it: not supported between nodes"
                    + " that only the network joins, expected the ranks of a node or NVLink domain in one block")
                .formatted(rank, machine));
      }
      taken.computeIfAbsent(machine, key -> new ArrayList<>()).add(gpuOf.get(rank));
      previous = machine;
    }
    List<Hosts> ordered = new ArrayList<>();
    taken.forEach(
        (machine, gpus) -> {
          List<HostGpu> inRankOrder =
              IntStream.range(0, gpuOf.size())
                  .filter(rank -> machineOf.get(rank).equals(machine))
                  .mapToObj(gpuOf::get)
                  .toList();
          Hosts hosts = usual.get(machine);
          ordered.add(
              gpus.equals(inRankOrder) ? hosts : new Hosts(hosts.files(), Optional.of(gpus)));
        });
    return ordered;
  }

  private static HostGpu hostGpu(GpuNode gpu) {
    return new HostGpu(gpu.systemId(), gpu.dev());
  }
}
