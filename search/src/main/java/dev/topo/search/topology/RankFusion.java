package dev.topo.search.topology;

import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlNode;
import dev.topo.search.topology.NvlinkDomain.HostGpu;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Joins what each rank of a machine or NVLink domain sees, its own GPU and all ports of its host,
 * in the order of the ranks ({@code ncclTopoGetSystem}, {@code nccl:src/graph/topo.cc}; {@code
 * ncclTopoFuseXml}, {@code nccl:src/graph/xml.cc}): an element with equal name and attributes is
 * the same, another one follows those that are there. So the order of GPUs and hosts is that of
 * ranks.
 */
public final class RankFusion {
  private final List<XmlElement> hosts;
  private final List<JobDevices> devices;

  private RankFusion(XmlElement system) {
    hosts = NvlinkDomain.hosts(system);
    devices = hosts.stream().map(host -> JobDevices.find(host, GpuSelection.ALL)).toList();
  }

  /** An element under construction. */
  private record Fused(String name, Map<String, String> attributes, List<Fused> children) {
    void join(Fused other) {
      for (Fused child : other.children) {
        children.stream()
            .filter(fused -> fused.isSame(child))
            .findFirst()
            .ifPresentOrElse(fused -> fused.join(child), () -> children.add(child));
      }
    }

    private boolean isSame(Fused other) {
      return name.equals(other.name) && attributes.equals(other.attributes);
    }

    XmlElement element(XmlElement place) {
      List<XmlNode> inside = new ArrayList<>();
      children.forEach(child -> inside.add(child.element(place)));
      return new XmlElement(name, attributes, inside, place.location());
    }
  }

  /**
   * A machine or domain on some of its GPUs, with ranks in a given order.
   *
   * @param system the {@code <system>} of a host, or of a domain
   * @param order the GPU of each rank, each once; a host without any is left out
   */
  public static XmlElement inRankOrder(XmlElement system, List<HostGpu> order) {
    RankFusion fusion = new RankFusion(system);
    Fused joined = new Fused(system.name(), system.attributes(), new ArrayList<>());
    for (int rank = 0; rank < order.size(); rank++) {
      joined.join(fusion.seenBy(order.get(rank), rank));
    }
    return joined.element(system);
  }

  private Fused seenBy(HostGpu gpu, int rank) {
    XmlElement host = hosts.get(gpu.host());
    JobDevices devicesOfRank = JobDevices.find(host, GpuSelection.of(Set.of(gpu.dev())));
    return copy(host, devicesOfRank, devices.get(gpu.host()), rank);
  }

  /** Copies what has a device of the rank, with the numbers of devices on the whole host. */
  private static Fused copy(
      XmlElement element, JobDevices devicesOfRank, JobDevices host, int rank) {
    Map<String, String> attributes = new LinkedHashMap<>(element.attributes());
    JobDevices.GpuNumbers numbers = devicesOfRank.gpu(element);
    if (numbers != null) {
      attributes.put("dev", String.valueOf(numbers.dev()));
      attributes.put("rank", String.valueOf(rank));
    }
    if (element.name().equals("net")) {
      attributes.put("dev", String.valueOf(host.netDev(element)));
    }
    List<Fused> children = new ArrayList<>();
    for (XmlElement child : element.elements()) {
      boolean isTrimmed =
          switch (child.name()) {
            case "cpu", "pci", "nic", "net", "gpu" -> !devicesOfRank.isUsed(child);
            default -> false;
          };
      if (!isTrimmed) {
        children.add(copy(child, devicesOfRank, host, rank));
      }
    }
    return new Fused(element.name(), attributes, children);
  }
}
