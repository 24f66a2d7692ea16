package dev.topo.visualizer.drawing;

import dev.topo.model.Link;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.search.engine.GraphLoad;
import dev.topo.search.engine.GraphLoad.LoadedLink;
import dev.topo.search.path.Domain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the links that a channel uses, following the paths that NCCL takes between its devices.
 * Loads are counted as in {@link GraphLoad}.
 */
public final class RouteFinder {
  /** Tolerance for sums of bandwidths, which NCCL computes in single precision. */
  private static final double ROUNDING_GBPS = 1e-3;

  private final Domain domain;
  private final Map<ChannelGraph, List<LoadedLink>> loads = new IdentityHashMap<>();

  /** Creates a finder for the routes in a domain. */
  public RouteFinder(Domain domain) {
    this.domain = domain;
  }

  /**
   * Returns the route of a channel.
   *
   * @throws IndexOutOfBoundsException if the graph has no channel of this number
   */
  public ChannelRoute find(ChannelGraph graph, int channel) {
    ChannelGraph singleChannel = graph.with(List.of(graph.channels().get(channel)));
    List<Link> links =
        new GraphLoad(domain, singleChannel)
            .fullestFirst().stream()
                .map(LoadedLink::link)
                .sorted(Comparator.comparingInt(Link::from).thenComparingInt(Link::to))
                .toList();
    return new ChannelRoute(graph, channel, gpus(graph, channel), links, full(graph));
  }

  /** Returns the loads that all channels of a graph put on links, fullest first. */
  public List<LoadedLink> loads(ChannelGraph graph) {
    return loads.computeIfAbsent(graph, key -> new GraphLoad(domain, key).fullestFirst());
  }

  private List<Integer> gpus(ChannelGraph graph, int channel) {
    Topology topology = domain.topology();
    Map<Integer, Integer> byRank = new HashMap<>();
    for (int gpu : topology.indexes(NodeType.GPU)) {
      byRank.put(((GpuNode) topology.node(gpu)).rank(), gpu);
    }
    List<Integer> gpus = new ArrayList<>();
    for (int rank : graph.channels().get(channel).ranks()) {
      Integer gpu = byRank.get(rank);
      if (gpu == null) {
        throw new IllegalArgumentException("the topology has no GPU of rank " + rank);
      }
      gpus.add(gpu);
    }
    return gpus;
  }

  /** Links whose free bandwidth is below that of a channel inside the node or to the network. */
  private Map<Link, Double> full(ChannelGraph graph) {
    Map<Link, Double> full = new HashMap<>();
    for (LoadedLink loaded : loads(graph)) {
      Link link = loaded.link();
      double free = link.bwGBps() - loaded.usedGBps();
      boolean isToNetwork =
          domain.topology().node(link.from()).type() == NodeType.NET
              || domain.topology().node(link.to()).type() == NodeType.NET;
      double needed = isToNetwork ? graph.bwInter() : graph.bwIntra();
      if (free + ROUNDING_GBPS < needed) {
        full.put(link, loaded.usedGBps());
      }
    }
    return full;
  }
}
