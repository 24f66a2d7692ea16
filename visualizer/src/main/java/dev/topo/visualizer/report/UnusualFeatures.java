package dev.topo.visualizer.report;

import dev.topo.model.Alike;
import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.path.Paths;
import dev.topo.visualizer.drawing.PortName;
import dev.topo.visualizer.structure.GraphsText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lists the unusual features of a node that an expert would check first, one sentence each. They
 * are not necessarily faults.
 */
final class UnusualFeatures {

  private final ReportPart part;
  private final Topology topology;
  private final Paths paths;
  private final DeviceFormat format;
  private final List<String> found = new ArrayList<>();

  private UnusualFeatures(ReportPart part) {
    this.part = part;
    this.topology = part.domain().topology();
    this.paths = part.domain().paths();
    this.format = new DeviceFormat(topology);
  }

  static List<String> of(ReportPart part) {
    UnusualFeatures features = new UnusualFeatures(part);
    features.gpuPairs();
    features.pciLinks();
    features.ports();
    features.rings();
    features.reportsFallback(GraphKind.TREE, "tree");
    return List.copyOf(features.found);
  }

  /** Reports GPUs that reach each other only over PCI while others use NVLink. */
  private void gpuPairs() {
    int[] gpus = topology.indexes(NodeType.GPU);
    int linked = 0;
    List<String> far = new ArrayList<>();
    for (int i = 0; i < gpus.length; i++) {
      for (int k = i + 1; k < gpus.length; k++) {
        PathType type = paths.type(gpus[i], gpus[k]);
        if (type.isWithin(PathType.NVB)) {
          linked++;
        } else {
          far.add(format.name(gpus[i]) + " and " + format.name(gpus[k]) + " (" + type + ")");
        }
      }
    }
    if (linked > 0 && !far.isEmpty()) {
      found.add(
          "%s of %s pairs of GPUs have no NVLink between them, such as %s."
              .formatted(far.size(), linked + far.size(), far.get(0)));
    }
  }

  /** Reports GPUs whose PCI links have different bandwidths. */
  private void pciLinks() {
    Map<Float, List<String>> byWidth = new TreeMap<>();
    for (int gpu : topology.indexes(NodeType.GPU)) {
      for (Link link : topology.links(gpu)) {
        if (link.type() == LinkType.PCI) {
          byWidth.computeIfAbsent(link.bwGBps(), bw -> new ArrayList<>()).add(format.name(gpu));
        }
      }
    }
    reportDifferences("PCI links of GPUs differ: ", byWidth);
  }

  private void reportDifferences(String prefix, Map<Float, List<String>> byBandwidth) {
    if (byBandwidth.size() > 1) {
      List<String> all = new ArrayList<>();
      byBandwidth.forEach(
          (bw, names) -> all.add(DeviceFormat.gbps(bw) + " GB/s for " + firstNames(names)));
      found.add(prefix + String.join("; ", all) + ".");
    }
  }

  private static String firstNames(List<String> names) {
    return QuantityFormat.firstOf(names, names.size() == 4 ? 4 : 3);
  }

  /** Reports ports that are far from GPUs, unequal or idle. */
  private void ports() {
    int[] nets = topology.indexes(NodeType.NET);
    reportDifferences(
        "Ports differ: ",
        new TreeMap<>(
            Alike.by(topology.nets(), NetNode::bwGBps, net -> PortName.of(topology, net))));
    if (nets.length == 0) {
      return;
    }
    List<String> far = new ArrayList<>();
    for (int gpu : topology.indexes(NodeType.GPU)) {
      PathType nearest =
          Arrays.stream(nets)
              .mapToObj(net -> paths.type(gpu, net))
              .reduce(PathType.DIS, PathType::nearer);
      if (!nearest.isWithin(PathType.PXN)) {
        far.add(format.name(gpu) + " (" + nearest + ")");
      }
    }
    if (!far.isEmpty()) {
      found.add("No port is near " + firstNames(far) + ": data to the network crosses the CPU.");
    }
    if (part.domain().crossesNetwork()) {
      idlePorts();
    }
  }

  private void idlePorts() {
    Set<NodeId> used =
        part.found().stream()
            .flatMap(graph -> graph.channels().stream())
            .flatMap(channel -> channel.nets().stream())
            .flatMap(ends -> Stream.of(ends.in(), ends.out()))
            .collect(Collectors.toSet());
    List<String> idle =
        topology.nets().stream()
            .filter(net -> !used.contains(net.id()))
            .map(net -> PortName.of(topology, net))
            .toList();
    if (!used.isEmpty() && !idle.isEmpty()) {
      String carry = idle.size() == 1 ? " port carries" : " ports carry";
      found.add(idle.size() + carry + " no channel: " + firstNames(idle) + ".");
    }
  }

  /**
   * Reports that NCCL finds no channels for a kind of graph and uses its fallback; returns true if
   * it does.
   */
  private boolean reportsFallback(GraphKind kind, String name) {
    ChannelGraph graph = part.graphs().get(kind);
    boolean isFallback = graph.nChannels() > 0 && GraphsText.isFallback(graph);
    if (isFallback) {
      found.add("No " + name + " fits: NCCL uses the GPUs in file order, at any bandwidth.");
    }
    return isFallback;
  }

  private void rings() {
    ChannelGraph ring = part.graphs().get(GraphKind.RING);
    boolean isAlone = topology.gpus().size() == 1;
    if (!reportsFallback(GraphKind.RING, "ring")
        && !isAlone
        && ring.nChannels() > 0
        && !ring.typeIntra().isWithin(PathType.PXN)) {
      String bandwidth = DeviceFormat.gbps((double) ring.nChannels() * ring.bwIntra());
      found.add(
          "Rings cross the CPU between GPUs (%s, %s GB/s in all)."
              .formatted(ring.typeIntra(), bandwidth));
    }
  }
}
