package dev.topo.simulator.advice;

import dev.topo.model.Last;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.search.engine.GraphLoad;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths;
import dev.topo.simulator.packing.Packing;
import dev.topo.simulator.packing.PlacedChannel;
import dev.topo.simulator.packing.PortRule;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleBiFunction;

/**
 * Assembles graphs from placed channels as NCCL's search would report them: with the types of the
 * paths that they use, and with the speed at which the most loaded link is full by NCCL's
 * accounting ({@link GraphLoad}). The speed is not rounded to one that the search tries.
 */
final class GraphAssembler {
  private final Domain domain;
  private final ToDoubleBiFunction<ChannelGraph, Packing> speed;
  private final int[] gpus;
  private final int[] ports;
  private final List<Integer> ranks;
  private final List<NodeId> portIds;

  /** Creates an assembler that computes speeds from the links of the domain as NCCL counts them. */
  GraphAssembler(Domain domain) {
    this(
        domain,
        (graph, packing) -> 1 / new GraphLoad(domain, graph).fullest().orElseThrow().share());
  }

  GraphAssembler(Domain domain, ToDoubleBiFunction<ChannelGraph, Packing> speed) {
    this.domain = domain;
    this.speed = speed;
    this.gpus = domain.topology().indexes(NodeType.GPU);
    this.ports = domain.topology().indexes(NodeType.NET);
    this.ranks = domain.topology().gpus().stream().map(GpuNode::rank).toList();
    this.portIds = domain.topology().nets().stream().map(NetNode::id).toList();
  }

  PlacedChannel placed(Channel channel) {
    return new PlacedChannel(
        channel.ranks().stream().map(ranks::indexOf).toList(),
        channel.nets().map(nets -> Math.max(0, portIds.indexOf(nets.in()))).orElse(0),
        channel.nets().map(nets -> Math.max(0, portIds.indexOf(nets.out()))).orElse(0));
  }

  /**
   * Assembles a graph to replace one of NCCL's search.
   *
   * @param original the graph of NCCL's search, whose kind and pattern the graph has
   */
  ChannelGraph graph(ChannelGraph original, Packing packing) {
    List<Channel> channels = packing.channels().stream().map(this::channel).toList();
    int crossNic =
        packing.ports() == PortRule.ALTERNATING ? domain.profile().search().triedCrossNic : 0;
    ChannelGraph unit =
        new ChannelGraph(
            original.kind(),
            original.pattern(),
            crossNic,
            1,
            1,
            latencyUs(packing),
            typeIntra(packing, original.pattern()),
            domain.crossesNetwork() ? typeInter(packing, original.pattern()) : original.typeInter(),
            channels.stream().distinct().count() == 1,
            channels);
    return withSpeed(unit, (float) speed.applyAsDouble(unit, packing));
  }

  private static ChannelGraph withSpeed(ChannelGraph graph, float gbps) {
    return new ChannelGraph(
        graph.kind(),
        graph.pattern(),
        graph.crossNic(),
        gbps,
        gbps,
        graph.latencyInter(),
        graph.typeIntra(),
        graph.typeInter(),
        graph.sameChannels(),
        graph.channels());
  }

  private Channel channel(PlacedChannel placed) {
    return new Channel(
        placed.gpus().stream().map(ranks::get).toList(),
        domain.crossesNetwork()
            ? Optional.of(new Channel.Nets(portIds.get(placed.in()), portIds.get(placed.out())))
            : Optional.empty());
  }

  private float latencyUs(Packing packing) {
    return domain.crossesNetwork()
        ? packing.channels().stream()
            .map(channel -> domain.topology().nets().get(channel.out()).latencyUs())
            .max(Float::compare)
            .orElseThrow()
        : 0;
  }

  private PathType typeIntra(Packing packing, Pattern pattern) {
    PathType farthest = PathType.LOC;
    for (PlacedChannel channel : packing.channels()) {
      List<Integer> order = channel.gpus();
      for (int i = 1; i < order.size(); i++) {
        farthest = farther(farthest, gpus[order.get(i - 1)], gpus[order.get(i)]);
      }
      if (pattern == Pattern.RING && !domain.crossesNetwork()) {
        farthest = farther(farthest, gpus[Last.of(order)], gpus[order.get(0)]);
      }
    }
    return farthest;
  }

  private PathType typeInter(Packing packing, Pattern pattern) {
    PathType farthest = PathType.LOC;
    for (PlacedChannel channel : packing.channels()) {
      List<Integer> order = channel.gpus();
      int end =
          switch (pattern) {
            case RING -> order.size() - 1;
            case TREE -> 0;
            default -> Math.min(1, order.size() - 1);
          };
      farthest = farther(farthest, ports[channel.in()], gpus[order.get(0)]);
      farthest = farther(farthest, gpus[order.get(0)], ports[channel.in()]);
      farthest = farther(farthest, gpus[order.get(end)], ports[channel.out()]);
    }
    return farthest;
  }

  private PathType farther(PathType farthest, int from, int to) {
    Paths paths = domain.paths();
    return from == to ? farthest : paths.profile().paths().farther(farthest, paths.type(from, to));
  }
}
