package dev.topo.visualizer.report;

import dev.topo.model.DeviceName;
import dev.topo.model.Node;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.search.engine.GraphLoad;
import dev.topo.search.path.Domain;
import dev.topo.visualizer.drawing.NodeLabels;
import dev.topo.visualizer.drawing.PortName;

/** Formats the names of devices and links, and bandwidths. */
final class DeviceFormat {
  private final Topology topology;
  private final NodeLabels text;

  DeviceFormat(Topology topology) {
    this.topology = topology;
    this.text = new NodeLabels(topology);
  }

  /** The name of a device. */
  String name(int node) {
    Node device = topology.node(node);
    if (device instanceof GpuNode gpu) {
      return text.gpuName(gpu);
    }
    if (device instanceof NetNode net) {
      return PortName.of(topology, net);
    }
    return device.type() == NodeType.NVS ? "NVSwitch" : device.label();
  }

  /** The link with the highest utilization in a graph. */
  static String fullest(Domain domain, ChannelGraph graph) {
    return new GraphLoad(domain, graph)
        .fullest()
        .map(
            loaded ->
                "%s: %s of %s GB/s"
                    .formatted(
                        new DeviceName(domain.topology()).of(loaded.link()),
                        gbps(loaded.usedGBps()),
                        gbps(loaded.link().bwGBps())))
        .orElse("no link is used");
  }

  /** A bandwidth of NCCL in GB/s, without rounding errors of float arithmetic. */
  static String gbps(double bwGBps) {
    double scale = bwGBps < 1 ? 1000 : bwGBps < 10 ? 100 : 10;
    return PrintfNumber.general(Math.rint(bwGBps * scale) / scale);
  }
}
