package dev.topo.tuning.bound.job;

import dev.topo.model.Link;
import dev.topo.model.Topology;
import dev.topo.model.graph.Channel;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.Pattern;
import dev.topo.model.node.GpuNode;
import dev.topo.model.node.NodeId;
import dev.topo.model.node.NodeType;
import dev.topo.search.path.Domain;
import dev.topo.tuning.bound.link.LinkRates;
import dev.topo.tuning.bound.link.LinkScope;
import dev.topo.tuning.bound.link.PhysicalLinks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the channels of a graph carry together by the raw rates of the links: the link model, which
 * is compared with a bound.
 *
 * <p>NCCL splits a call evenly over the channels of a graph, so all channels have one rate. A
 * channel takes it from each link of the path of each of its hops, once for each time that it
 * crosses the link in that direction; the link with the smallest fair share, its rate by the number
 * of crossings, determines the rate of all. A ring crosses in the direction of the ring; a tree in
 * both directions of its hops; an NVLS channel goes to the NVSwitch and back at every GPU, twice at
 * its head. Between nodes a ring enters and leaves once; a tree, of which every node is an inner
 * node of one and a leaf of the other of two, twice in each direction.
 *
 * <p>The share of the bound that graphs reach is, for AllReduce on one node or several, the algbw
 * of the best of them ({@link #allReduceGBps}) by that of {@link JobBounds} with {@link
 * LinkScope#PATHS}.
 */
public final class GraphRate {
  private static final int TREE_CROSSINGS_OF_PORTS = 2;

  private final Domain domain;
  private final Topology topology;
  private final PhysicalLinks links;
  private final Map<Integer, Integer> gpuByRank = new HashMap<>();
  private final Map<NodeId, Integer> portById = new HashMap<>();

  /** The rates of graphs on a domain. */
  public GraphRate(Domain domain) {
    this.domain = domain;
    this.topology = domain.topology();
    this.links = PhysicalLinks.of(domain, LinkScope.PATHS);
    for (int gpu : topology.indexes(NodeType.GPU)) {
      gpuByRank.put(((GpuNode) topology.node(gpu)).rank(), gpu);
    }
    for (int port : topology.indexes(NodeType.NET)) {
      portById.putIfAbsent(topology.node(port).id(), port);
    }
  }

  /**
   * The bandwidth of all channels together in GB/s; empty without channels, and where no link with
   * a known rate limits them.
   */
  public Optional<Double> bandwidthGBps(ChannelGraph graph) {
    Map<Link, Integer> crossings = new HashMap<>();
    graph.channels().forEach(channel -> count(graph, channel, crossings));
    return crossings.entrySet().stream()
        .filter(entry -> links.gbps(entry.getKey()) < LinkRates.UNLIMITED_GBPS)
        .map(entry -> links.gbps(entry.getKey()) / entry.getValue() * graph.nChannels())
        .min(Double::compare);
  }

  /**
   * The algbw of AllReduce of a job on the channels of a graph in GB/s: a ring moves 2 (n - 1) / n
   * of the data over each hop, a tree and NVLS all of it.
   */
  public Optional<Double> allReduceGBps(ChannelGraph graph, int nRanks) {
    double factor = graph.pattern() == Pattern.RING ? nRanks / (2.0 * (nRanks - 1)) : 1;
    return bandwidthGBps(graph).map(bandwidth -> bandwidth * factor);
  }

  private void count(ChannelGraph graph, Channel channel, Map<Link, Integer> crossings) {
    List<Integer> gpus = channel.ranks().stream().map(gpuByRank::get).toList();
    if (graph.kind() == GraphKind.NVLS) {
      for (int nvs : topology.indexes(NodeType.NVS)) {
        for (int i = 0; i < gpus.size(); i++) {
          cross(gpus.get(i), nvs, i == 0 ? 2 : 1, crossings);
          cross(nvs, gpus.get(i), i == 0 ? 2 : 1, crossings);
        }
      }
      return;
    }
    boolean isRing = graph.pattern() == Pattern.RING;
    for (int i = 1; i < gpus.size(); i++) {
      cross(gpus.get(i - 1), gpus.get(i), 1, crossings);
      if (!isRing) {
        cross(gpus.get(i), gpus.get(i - 1), 1, crossings);
      }
    }
    if (isRing && channel.nets().isEmpty() && gpus.size() > 1) {
      cross(gpus.get(gpus.size() - 1), gpus.get(0), 1, crossings);
    }
    channel.nets().ifPresent(nets -> countPorts(graph, gpus, nets, crossings));
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
      cross(gpus.get(gpus.size() - 1), out, 1, crossings);
    } else {
      int second = graph.pattern() == Pattern.TREE ? first : gpus.get(Math.min(1, gpus.size() - 1));
      cross(in, first, TREE_CROSSINGS_OF_PORTS / 2, crossings);
      cross(first, in, TREE_CROSSINGS_OF_PORTS / 2, crossings);
      cross(out, second, TREE_CROSSINGS_OF_PORTS / 2, crossings);
      cross(second, out, TREE_CROSSINGS_OF_PORTS / 2, crossings);
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
