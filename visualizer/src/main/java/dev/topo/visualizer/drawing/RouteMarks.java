package dev.topo.visualizer.drawing;

import dev.topo.model.Link;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.io.TextWriter;
import dev.topo.visualizer.drawing.Wire.Flow;
import dev.topo.visualizer.drawing.Wire.Stress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The marks of a route on the lines and boxes of a machine. */
record RouteMarks(Topology topology, ChannelRoute route) {
  /** The directions in which the channel uses an edge, seen from one of its ends. */
  Flow flow(Edge edge, int from) {
    Flow flow = Flow.NONE;
    for (Link link : route.links()) {
      if (isOf(link, edge)) {
        flow = flow.and(link.from() == from ? Flow.FORWARD : Flow.BACKWARD);
      }
    }
    return flow;
  }

  private static boolean isOf(Link link, Edge edge) {
    return link.type() == edge.type() && edge.touches(link.from()) && edge.touches(link.to());
  }

  /** The prominence of the line of an edge. */
  Stress stress(Edge edge, int from) {
    if (used(edge).isPresent()) {
      return Stress.FULL;
    }
    return flow(edge, from) == Flow.NONE ? Stress.FAINT : Stress.PLAIN;
  }

  /**
   * The bandwidth in GB/s that all channels together use of a full edge, in its fuller direction;
   * empty if the edge is not full.
   */
  Optional<Double> used(Edge edge) {
    return route.full().entrySet().stream()
        .filter(entry -> isOf(entry.getKey(), edge))
        .map(Map.Entry::getValue)
        .max(Double::compare);
  }

  /** The bandwidth of an edge, with the used part if it is full. */
  String label(Edge edge) {
    return used(edge)
            .map(used -> PrintfNumber.general(Math.rint(used * 10) / 10) + " of ")
            .orElse("")
        + edge.text();
  }

  /** The position of a GPU in the channel, as text for its box. */
  String place(int gpu) {
    int at = route.gpus().indexOf(gpu);
    if (at < 0) {
      return "not in it";
    }
    return isStar() ? at == 0 ? "head" : "member" : (at + 1) + " of " + route.gpus().size();
  }

  private boolean isStar() {
    return VisitOrder.isStar(route.graph());
  }

  /** The number of the channel in its graph. */
  int channel() {
    return route.channel();
  }

  /**
   * The node at which the channel begins: the port through which it enters, or else its first GPU.
   */
  int first() {
    return route
        .graph()
        .channels()
        .get(route.channel())
        .nets()
        .flatMap(
            nets ->
                Arrays.stream(topology.indexes(NodeType.NET))
                    .filter(net -> topology.node(net).id().equals(nets.in()))
                    .boxed()
                    .findFirst())
        .orElse(route.gpus().get(0));
  }

  /** The channel as text. */
  String title() {
    ChannelGraph graph = route.graph();
    return TextWriter.format(
        "%s, channel %d of 0 to %d: %s, %s GB/s a channel",
        graph.kind().label(),
        route.channel(),
        graph.nChannels() - 1,
        graph.pattern(),
        PrintfNumber.general(graph.bwIntra()));
  }

  /** The route of the channel from port to port; in an NVLink domain host by host. */
  String text(NodeLabels text) {
    if (topology.nHosts() > 1) {
      return VisitOrder.of(topology, route.graph(), route.channel()).text();
    }
    var channel = route.graph().channels().get(route.channel());
    List<String> gpus =
        route.gpus().stream().map(gpu -> text.gpuName((GpuNode) topology.node(gpu))).toList();
    boolean isClosed = route.graph().pattern() == Pattern.RING && channel.nets().isEmpty();
    return channel.nets().map(nets -> PortName.of(topology, nets.in()) + " → ").orElse("")
        + String.join(isStar() ? ", " : " → ", gpus)
        + (isClosed && gpus.size() > 1 ? " → " + gpus.get(0) : "")
        + channel.nets().map(nets -> " → " + PortName.of(topology, nets.out())).orElse("");
  }
}
