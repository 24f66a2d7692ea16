package dev.topo.simulator.advice;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.path.Domain;
import dev.topo.simulator.packing.ChannelSpace;
import dev.topo.simulator.packing.KindPacker;
import dev.topo.simulator.packing.NodeLinks;
import dev.topo.simulator.packing.PlacedChannel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Packs rings and trees into a node so that they use its links better than those of NCCL's search
 * do. Other graphs stay as NCCL found them. Rings and trees have equal numbers of channels, as NCCL
 * drops surplus ones. Not thread-safe.
 */
public final class GraphPacker {
  /** Largest number of channels to pack: NCCL doubles the channels of a graph, to 64 at most. */
  private static final int MOST_CHANNELS = ChannelGraph.MAX_CHANNELS / 2;

  private static final List<Integer> COUNTS =
      List.of(1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 5, 10, 20, 7, 14, 28, 9, 18);

  private final Domain domain;
  private final NodeGraphs nccl;
  private final GraphAssembler assembler;
  private final Map<GraphKind, KindPacker> packers = new EnumMap<>(GraphKind.class);

  /**
   * Creates a packer.
   *
   * @param nccl the graphs of NCCL's search; rings and trees have at least one channel each
   * @param mayCross whether rings may leave a node through another port than they enter
   */
  GraphPacker(
      Domain domain, NodeGraphs nccl, NodeLinks links, GraphAssembler assembler, boolean mayCross) {
    this.domain = domain;
    this.nccl = nccl;
    this.assembler = assembler;
    for (GraphKind kind : List.of(GraphKind.RING, GraphKind.TREE)) {
      ChannelSpace space = new ChannelSpace(links, nccl.get(kind).pattern());
      packers.put(kind, new KindPacker(space, placed(nccl.get(kind)), mayCross));
    }
  }

  public static GraphPacker of(Domain domain, NodeGraphs nccl, int nodes) {
    return new GraphPacker(
        domain,
        nccl,
        NodeLinks.of(domain, nodes, LinkCapacities.raw(domain.paths())),
        new GraphAssembler(domain),
        true);
  }

  private List<PlacedChannel> placed(ChannelGraph graph) {
    return graph.channels().stream().map(assembler::placed).toList();
  }

  /**
   * Lists the numbers of channels that are worth a trial, in ascending order: NCCL's number, the
   * number of ports, their doubles and others until one reaches the bounds, and the multiples of
   * that one. Numbers with channels that have no path are left out.
   */
  public List<Integer> counts() {
    Set<Integer> tried = new LinkedHashSet<>();
    int ofNccl = nccl.get(GraphKind.RING).nChannels();
    int ports = domain.crossesNetwork() ? domain.topology().nets().size() : 1;
    List<Integer> order = new ArrayList<>(List.of(ofNccl, 2 * ofNccl, ports, 2 * ports));
    order.addAll(COUNTS);
    for (int count : order) {
      if (count <= MOST_CHANNELS && tried.add(count) && isReached(count)) {
        for (int multiple = 2 * count; multiple <= MOST_CHANNELS; multiple += count) {
          tried.add(multiple);
        }
        break;
      }
    }
    return tried.stream().filter(this::isPossible).sorted().toList();
  }

  private boolean isPossible(int count) {
    return packers.values().stream().allMatch(packer -> packer.packed(count).gbps() > 0);
  }

  private boolean isReached(int count) {
    return packers.values().stream().allMatch(packer -> packer.isReached(count));
  }

  /** Computes the share of the bounds that graphs of the node reach by the link model. */
  public LinkShare share(NodeGraphs graphs) {
    KindPacker rings = packer(GraphKind.RING);
    KindPacker trees = packer(GraphKind.TREE);
    double ring = rings.totalGBps(placed(graphs.get(GraphKind.RING)));
    double tree = trees.totalGBps(placed(graphs.get(GraphKind.TREE)));
    return new LinkShare(
        ring,
        Math.max(ring, rings.boundGBps()),
        tree,
        Math.max(tree, trees.boundGBps()),
        rings.isBoundExact() && trees.isBoundExact());
  }

  /** Returns the graphs of the node with a number of rings and trees. */
  public NodeGraphs packed(int channels) {
    return new NodeGraphs(
        nccl.all().stream()
            .map(
                graph ->
                    packers.containsKey(graph.kind())
                        ? assembler.graph(graph, packer(graph.kind()).packed(channels))
                        : graph)
            .toList());
  }

  private KindPacker packer(GraphKind kind) {
    return Objects.requireNonNull(packers.get(kind), kind.label());
  }
}
