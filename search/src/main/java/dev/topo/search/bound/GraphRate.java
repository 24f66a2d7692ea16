package dev.topo.search.bound;

import dev.topo.model.Last;
import dev.topo.model.Link;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.operation.Collective;
import dev.topo.search.bound.LinkRates.PhysicalLinks;
import dev.topo.search.bound.OperationBound.LinkScope;
import dev.topo.search.path.Domain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The total rate of all channels of a graph at the raw rates of the links. This link model is
 * compared with the bounds.
 *
 * <p>NCCL splits a call evenly over the channels of a graph, so all channels have the same rate. A
 * channel uses this rate on each link on the paths of its hops, once per crossing of the link in
 * that direction. The link with the smallest rate per crossing determines the rate of all channels.
 * A ring crosses links in the direction of the ring, a tree in both directions of its hops. An NVLS
 * channel goes to the NVSwitch and back at every GPU, twice at its head. Between nodes, a ring
 * enters and leaves a node once. A double binary tree does so once per tree link of the node: once
 * in each direction on two nodes, twice on more, as every node is an inner node of one tree and a
 * leaf of the other.
 *
 * <p>The share of the bound that the graphs of a job reach with AllReduce is the highest {@link
 * #algbwGBps} of the graphs divided by the algbw of {@link JobBounds} with {@link LinkScope#PATHS}.
 */
public final class GraphRate {
  private final Domain domain;
  private final Topology topology;
  private final PhysicalLinks links;
  private final int treeLinks;
  private final Map<Integer, Integer> gpuByRank;
  private final Map<NodeId, Integer> portById;

  /** Creates the model for graphs of a domain of a job of {@code nNodes} nodes. */
  public GraphRate(Domain domain, int nNodes) {
    this.domain = domain;
    this.treeLinks = Math.min(2, nNodes - 1);
    this.topology = domain.topology();
    this.links = PhysicalLinks.of(domain, LinkScope.PATHS, true);
    this.gpuByRank = topology.gpuByRank();
    this.portById = topology.portById();
  }

  /**
   * The total bandwidth of all channels in GB/s; empty if there are no channels, or if no link with
   * a known rate limits them.
   */
  Optional<Double> bandwidthGBps(ChannelGraph graph) {
    Map<Link, Integer> crossings = new HashMap<>();
    graph.channels().forEach(channel -> count(graph, channel, crossings));
    return crossings.entrySet().stream()
        .filter(entry -> links.gbps(entry.getKey()) < LinkRates.UNLIMITED_GBPS)
        .map(entry -> links.gbps(entry.getKey()) / entry.getValue() * graph.nChannels())
        .min(Double::compare);
  }

  /**
   * The algbw of a collective on the channels of a graph in GB/s. Each hop of a ring carries the
   * share of the data by which busbw is defined; each hop of a tree or of NVLS carries all data,
   * for AllReduce in each direction. Empty if the graph does not carry the collective, if its load
   * on the links is not modelled, or if {@link #bandwidthGBps} is empty.
   */
  public Optional<Double> algbwGBps(ChannelGraph graph, Collective collective, int nRanks) {
    if (graph.pattern() == Pattern.RING) {
      return bandwidthGBps(graph).map(bandwidth -> bandwidth / collective.busbwFactor(nRanks));
    }
    return collective == Collective.ALL_REDUCE && !graph.kind().isCollNet()
        ? bandwidthGBps(graph)
        : Optional.empty();
  }

  private void count(ChannelGraph graph, Channel channel, Map<Link, Integer> crossings) {
    List<Integer> gpus = channel.ranks().stream().map(gpuByRank::get).toList();
    if (graph.kind() == GraphKind.NVLS) {
      countMulticast(gpus, crossings);
    } else {
      countHops(graph, channel, gpus, crossings);
    }
    channel.nets().ifPresent(nets -> countPorts(graph, gpus, nets, crossings));
  }

  private void countMulticast(List<Integer> gpus, Map<Link, Integer> crossings) {
    for (int nvs : topology.indexes(NodeType.NVS)) {
      for (int i = 0; i < gpus.size(); i++) {
        cross(gpus.get(i), nvs, i == 0 ? 2 : 1, crossings);
        cross(nvs, gpus.get(i), i == 0 ? 2 : 1, crossings);
      }
    }
  }

  private void countHops(
      ChannelGraph graph, Channel channel, List<Integer> gpus, Map<Link, Integer> crossings) {
    boolean isRing = graph.pattern() == Pattern.RING;
    for (int i = 1; i < gpus.size(); i++) {
      cross(gpus.get(i - 1), gpus.get(i), 1, crossings);
      if (!isRing) {
        cross(gpus.get(i), gpus.get(i - 1), 1, crossings);
      }
    }
    if (isRing && channel.nets().isEmpty() && gpus.size() > 1) {
      cross(Last.of(gpus), gpus.get(0), 1, crossings);
    }
  }

  private void countPorts(
      ChannelGraph graph, List<Integer> gpus, Channel.Nets nets, Map<Link, Integer> crossings) {
    Integer in = portById.get(nets.in());
    Integer out = portById.get(nets.out());
    if (in == null || out == null) {
      return;
    }
    int first = gpus.get(0);
    if (graph.pattern() == Pattern.RING) {
      cross(in, first, 1, crossings);
      cross(Last.of(gpus), out, 1, crossings);
    } else {
      boolean isSplit =
          graph.pattern() == Pattern.BALANCED_TREE || graph.pattern() == Pattern.SPLIT_TREE;
      int second = isSplit ? gpus.get(Math.min(1, gpus.size() - 1)) : first;
      // Each end of the channel has half of the node's links in the two trees.
      boolean isInOnly = treeLinks == 1;
      cross(in, first, 1, crossings);
      cross(isInOnly ? second : first, isInOnly ? out : in, 1, crossings);
      if (!isInOnly) {
        cross(out, second, 1, crossings);
        cross(second, out, 1, crossings);
      }
    }
  }

  private void cross(int from, int to, int times, Map<Link, Integer> crossings) {
    domain
        .paths()
        .path(from, to)
        .links()
        .forEach(link -> crossings.merge(link, times, Integer::sum));
  }
}
