package dev.topo.advice.graph;

import dev.topo.model.PathType;
import dev.topo.model.graph.Channel;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.graph.Pattern;
import dev.topo.model.node.GpuNode;
import dev.topo.model.node.NodeId;
import dev.topo.model.node.NodeType;
import dev.topo.search.path.Domain;
import dev.topo.search.verify.GraphLoad;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Packs the rings or trees of a node so that they use its links better than those of NCCL's search.
 * The graphs have everything that NCCL takes from a graph file: patterns, path types and speeds as
 * NCCL counts them, without rounding to the speeds that its search tries.
 */
public final class GraphPacker {
  /** Numbers of channels that are tried; NCCL makes twice as many of them, 64 at most. */
  private static final int[] COUNTS = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32};

  private final Domain domain;
  private final ChannelGraph nccl;
  private final ChannelSpace space;
  private final List<ChannelPacker> packers = new ArrayList<>();
  private final List<PlacedChannel> ofNccl;
  private final double ncclGBps;
  private final List<Integer> ranks;
  private final List<NodeId> ports;

  /**
   * A packer.
   *
   * @param domain the node
   * @param nccl the graph of NCCL's search, with channels
   * @param links the links of the node
   */
  GraphPacker(Domain domain, ChannelGraph nccl, NodeLinks links) {
    this.domain = domain;
    this.nccl = nccl;
    this.space = new ChannelSpace(links, nccl.pattern());
    packers.add(new ChannelPacker(space, PortChoice.SAME, Double.POSITIVE_INFINITY));
    if (space.hasLast() && space.ports() > 1) packers.add(new ChannelPacker(space, PortChoice.ALTERNATING, Double.POSITIVE_INFINITY));
    this.ranks = domain.topology().gpus().stream().map(GpuNode::rank).toList();
    this.ports = domain.topology().nets().stream().map(net -> net.id()).toList();
    this.ofNccl = nccl.channels().stream().map(this::placed).toList();
    this.ncclGBps = space.totalGBps(ofNccl);
  }

  /** A packer for a node whose links have the bandwidth that NCCL plans with. */
  public static GraphPacker of(Domain domain, ChannelGraph nccl) {
    return new GraphPacker(
        domain, nccl, NodeLinks.of(domain, link -> domain.paths().linkTable().bwGBps(link)));
  }

  private PlacedChannel placed(Channel channel) {
    return new PlacedChannel(
        channel.ranks().stream().map(ranks::indexOf).toList(),
        channel.nets().map(nets -> Math.max(0, ports.indexOf(nets.in()))).orElse(0),
        channel.nets().map(nets -> Math.max(0, ports.indexOf(nets.out()))).orElse(0));
  }

  /** What the channels of NCCL's search reach together by the link model, in GB/s. */
  public double ncclGBps() {
    return ncclGBps;
  }

  public double boundGBps() {
    return packers.stream().mapToDouble(ChannelPacker::boundGBps).max().orElseThrow();
  }

  public boolean isBoundExact() {
    return packers.get(0).isBoundExact();
  }

  public double best() {
    double best = 0;
    for (ChannelPacker packer : packers)
    for (int count : COUNTS) {
      best = Math.max(best, space.totalGBps(packer.pack(count)));
      if (packer.isReached(best)) {
        break;
      }
    }
    return best;
  }
}
