package dev.topo.visualizer.report.subject;

import dev.topo.model.PrintfNumber;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.node.GpuNode;
import dev.topo.model.node.NetNode;
import dev.topo.model.node.Node;
import dev.topo.model.node.NodeType;
import dev.topo.search.path.Domain;
import dev.topo.search.verify.GraphLoad;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Predictor;
import dev.topo.visualizer.layout.NodeText;

/** What devices and links are called on the page. */
public final class DeviceFormat {
  private final Topology topology;
  private final NodeText text;

  public DeviceFormat(Topology topology) {
    this.topology = topology;
    this.text = new NodeText(topology);
  }

  /** The name of a device. */
  public String name(int node) {
    Node thing = topology.node(node);
    if (thing instanceof GpuNode gpu) {
      return text.gpuName(gpu);
    }
    if (thing instanceof NetNode net) {
      return NodeText.portName(net);
    }
    return thing.type() == NodeType.NVS ? "NVSwitch" : thing.label();
  }

  /** The link of a graph with the most on it, for its size. */
  public static String fullest(Domain domain, ChannelGraph graph) {
    DeviceFormat words = new DeviceFormat(domain.topology());
    return new GraphLoad(domain, graph)
        .fullest()
        .map(
            loaded ->
                loaded.link().type()
                    + " "
                    + words.name(loaded.link().from())
                    + " to "
                    + words.name(loaded.link().to())
                    + ": "
                    + gbps(loaded.usedGBps())
                    + " of "
                    + gbps(loaded.link().bwGBps())
                    + " GB/s")
        .orElse("no link is used");
  }

  /** A bandwidth that NCCL counts with, without what only comes of rounding. */
  public static String gbps(double bwGBps) {
    double part = bwGBps < 1 ? 1000 : bwGBps < 10 ? 100 : 10;
    return PrintfNumber.general(Math.rint(bwGBps * part) / part);
  }

  /** What a call waits for: the link where one is full and known. */
  public static String limit(Predictor predictor, Prediction prediction) {
    DeviceFormat words =
        new DeviceFormat(predictor.planner().communicator().job().machines().get(0).topology());
    return predictor
        .fullLink(prediction)
        .map(link -> link.type() + " " + words.name(link.from()) + " to " + words.name(link.to()))
        .orElse(prediction.estimate().bottleneck().word());
  }
}
