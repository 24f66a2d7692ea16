package dev.topo.visualizer.report;

import dev.topo.model.Link;
import dev.topo.model.LinkType;
import dev.topo.model.PathType;
import dev.topo.model.Topology;
import dev.topo.model.graph.Channel;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.node.NetNode;
import dev.topo.model.node.NodeId;
import dev.topo.model.node.NodeType;
import dev.topo.search.path.Paths;
import dev.topo.visualizer.report.subject.DeviceFormat;
import dev.topo.visualizer.report.subject.ReportPart;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Unusual features of a node, a sentence each: what an expert would check first. They are not
 * necessarily faults.
 */
final class UnusualFeatures {
  /** The bandwidth NCCL sets if it finds no channels ({@code ncclTopoCompute}). */
  private static final float FALLBACK_BW_GBPS = 0.1f;

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
    features.trees();
    return List.copyOf(features.found);
  }

  /** Some GPUs reach each other over NVLink, others only over PCI. */
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
          far.size()
              + " of "
              + (linked + far.size())
              + " pairs of GPUs have no NVLink between them, such as "
              + far.get(0)
              + ".");
    }
  }

  /** GPUs with a narrower or wider PCI link than others. */
  private void pciLinks() {
    Map<Float, List<String>> byWidth = new TreeMap<>();
    for (int gpu : topology.indexes(NodeType.GPU)) {
      for (Link link : topology.links(gpu)) {
        if (link.type() == LinkType.PCI) {
          byWidth.computeIfAbsent(link.bwGBps(), bw -> new ArrayList<>()).add(format.name(gpu));
        }
      }
    }
    if (byWidth.size() > 1) {
      List<String> widths = new ArrayList<>();
      byWidth.forEach((bw, gpus) -> widths.add(DeviceFormat.gbps(bw) + " GB/s for " + some(gpus)));
      found.add("PCI links of GPUs differ: " + String.join("; ", widths) + ".");
    }
  }

  private static String some(List<String> names) {
    return names.size() <= 4
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, 3)) + " and " + (names.size() - 3) + " more";
  }

  /** Ports that are far from GPUs, unequal or idle. */
  private void ports() {
    int[] nets = topology.indexes(NodeType.NET);
    Map<Float, List<String>> bySpeed = new TreeMap<>();
    topology
        .nets()
        .forEach(
            net ->
                bySpeed
                    .computeIfAbsent(net.bwGBps(), bw -> new ArrayList<>())
                    .add(net.name().isEmpty() ? net.label() : net.name()));
    if (bySpeed.size() > 1) {
      List<String> speeds = new ArrayList<>();
      bySpeed.forEach(
          (bw, ports) -> speeds.add(DeviceFormat.gbps(bw) + " GB/s for " + some(ports)));
      found.add("Ports differ: " + String.join("; ", speeds) + ".");
    }
    if (nets.length == 0) {
      return;
    }
    List<String> far = new ArrayList<>();
    for (int gpu : topology.indexes(NodeType.GPU)) {
      PathType nearest = PathType.DIS;
      for (int net : nets) {
        nearest = PathType.nearer(nearest, paths.type(gpu, net));
      }
      if (!nearest.isWithin(PathType.PXN)) {
        far.add(format.name(gpu) + " (" + nearest + ")");
      }
    }
    if (!far.isEmpty()) {
      found.add("No port is near " + some(far) + ": data to the network crosses the CPU.");
    }
    if (part.domain().crossesNetwork()) {
      idlePorts();
    }
  }

  private void idlePorts() {
    Set<NodeId> used = new HashSet<>();
    for (ChannelGraph graph : part.found()) {
      for (Channel channel : graph.channels()) {
        channel
            .nets()
            .ifPresent(
                ends -> {
                  used.add(ends.in());
                  used.add(ends.out());
                });
      }
    }
    List<String> idle = new ArrayList<>();
    for (NetNode net : topology.nets()) {
      if (!used.contains(net.id())) {
        idle.add(net.name().isEmpty() ? net.label() : net.name());
      }
    }
    if (!used.isEmpty() && !idle.isEmpty()) {
      found.add(
          idle.size()
              + (idle.size() == 1 ? " port carries" : " ports carry")
              + " no channel: "
              + some(idle)
              + ".");
    }
  }

  private void trees() {
    ChannelGraph tree = part.graphs().get(GraphKind.TREE);
    if (tree.nChannels() > 0 && tree.bwIntra() == FALLBACK_BW_GBPS) {
      found.add("No tree fits: NCCL uses the GPUs in file order, at any bandwidth.");
    }
  }

  private void rings() {
    ChannelGraph ring = part.graphs().get(GraphKind.RING);
    boolean isAlone = topology.gpus().size() == 1;
    if (ring.nChannels() > 0 && ring.bwIntra() == FALLBACK_BW_GBPS) {
      found.add("No ring fits: NCCL uses the GPUs in file order, at any bandwidth.");
    } else if (!isAlone && ring.nChannels() > 0 && !ring.typeIntra().isWithin(PathType.PXN)) {
      found.add(
          "Rings cross the CPU between GPUs ("
              + ring.typeIntra()
              + ", "
              + DeviceFormat.gbps((double) ring.nChannels() * ring.bwIntra())
              + " GB/s in all).");
    }
  }
}
