package dev.topo.search.topology;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlNode;
import dev.topo.model.xml.XmlTree;
import dev.topo.search.topology.NvlinkDomain.HostGpu;
import dev.topo.search.topology.TopologyReader.SystemSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Joins the devices that each rank of a machine or NVLink domain detects, its own GPU and all ports
 * of its host, in rank order ({@code ncclTopoGetSystem}, {@code nccl:src/graph/topo.cc}; {@code
 * ncclTopoFuseXml}, {@code nccl:src/graph/xml.cc}; 2.22.3 to 2.30.7): elements with equal names and
 * attributes are the same, others are appended. GPUs and hosts are therefore in rank order, and a
 * switch with a port comes before one without. Existing elements are not changed.
 */
public final class RankFusion {
  private final List<XmlElement> hosts;
  private final List<JobDevices> devices;
  private final List<XmlElement> systemsOfRanks = new ArrayList<>();

  private RankFusion(XmlElement system, GpuSelection selection) {
    hosts = NvlinkDomain.hosts(system);
    devices = hosts.stream().map(host -> JobDevices.find(host, selection)).toList();
  }

  /**
   * A machine or domain with the given GPUs in rank order.
   *
   * @param system the {@code <system>} of a host, or of a domain
   * @param order the GPU of each rank, each once; a host without any is left out
   */
  public static XmlElement inRankOrder(XmlElement system, List<HostGpu> order) {
    RankFusion fusion = new RankFusion(system, GpuSelection.ALL);
    for (HostGpu place : order) {
      JobDevices onHost = fusion.devices.get(place.host());
      fusion.add(onHost.gpuWithDev(place.dev()), onHost);
    }
    return fusion.joined();
  }

  /** A machine or domain with the GPUs of a job. */
  static XmlElement inRankOrder(XmlElement system, GpuSelection selection, JobDevices job) {
    RankFusion fusion = new RankFusion(system, selection);
    job.gpusByRank().forEach(gpu -> fusion.add(gpu, job));
    return fusion.joined();
  }

  private void add(XmlElement gpu, JobDevices job) {
    int host = 0;
    while (devices.get(host).gpu(gpu) == null) {
      host++;
    }
    XmlElement system = hosts.get(host);
    systemsOfRanks.add(copy(system, job.seenBy(gpu, systemsOfRanks.size(), system)));
  }

  private XmlElement joined() {
    XmlTree joined = XmlTree.of(systemsOfRanks.get(0));
    systemsOfRanks.stream().skip(1).map(XmlTree::of).forEach(joined::fuse);
    return joined.system().toElement();
  }

  /**
   * The types of nodes (NUMA domains, GPUs, ports) whose order on a machine differs from its file,
   * with both orders: {@code GPU 0 1 to 1 0}; empty if all are in file order.
   */
  public static String moved(Topology machine) {
    if (!(machine.source().orElse(null) instanceof SystemSource source) || !source.isMoved()) {
      return "";
    }
    Topology ofRanks = machine.merged(Optional.empty());
    Topology ofFile = source.ofFile();
    return Stream.of(NodeType.CPU, NodeType.GPU, NodeType.NET)
        .filter(type -> !ofFile.nodes(type).equals(ofRanks.nodes(type)))
        .map(type -> type + " " + order(ofFile, type) + " to " + order(ofRanks, type))
        .collect(Collectors.joining(", "));
  }

  private static String order(Topology machine, NodeType type) {
    return QuantityFormat.runs(
        machine.nodes(type).stream()
            .map(node -> node instanceof GpuNode gpu ? gpu.dev() : (int) node.id().localId())
            .toList());
  }

  /** Copies the branches that contain a device of the rank, with the device numbers of the job. */
  private static XmlElement copy(XmlElement element, JobDevices ofRank) {
    Map<String, String> attributes = new LinkedHashMap<>(element.attributes());
    JobDevices.GpuNumbers numbers = ofRank.gpu(element);
    if (numbers != null) {
      attributes.put("dev", String.valueOf(numbers.dev()));
      attributes.put("rank", String.valueOf(numbers.rank()));
    }
    if (element.name().equals("net")) {
      attributes.put("dev", String.valueOf(ofRank.netDev(element)));
    }
    List<XmlNode> children = new ArrayList<>();
    for (XmlElement child : element.elements()) {
      boolean isTrimmed =
          switch (child.name()) {
            case "cpu", "pci", "nic", "net" -> !ofRank.isUsed(child);
            case "gpu" -> ofRank.gpu(child) == null;
            default -> false;
          };
      if (!isTrimmed) {
        children.add(copy(child, ofRank));
      }
    }
    return element.with(attributes, children);
  }
}
