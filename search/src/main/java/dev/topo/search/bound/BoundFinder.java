package dev.topo.search.bound;

import dev.topo.model.Link;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.jgrapht.Graph;
import org.jgrapht.alg.flow.PushRelabelMFImpl;
import org.jgrapht.alg.interfaces.MinimumSTCutAlgorithm;
import org.jgrapht.graph.DefaultWeightedEdge;

/**
 * Finds an upper bound on the bandwidth of a graph: the minimum cut that its channels have to
 * cross.
 *
 * <p>Channels use the paths of a domain up to the path types of the graph. A cut through the links
 * of these paths has a capacity, counting both directions, and the pattern determines how often
 * each channel crosses it:
 *
 * <ul>
 *   <li>a ring crosses every cut between two GPUs twice, since it returns; a ring over several
 *       nodes also crosses every cut between a GPU and the network twice, as it returns over the
 *       network;
 *   <li>a chain (a ring over several nodes inside one of them, or a tree as the search counts it)
 *       crosses every cut between two GPUs once, and leaves every GPU but its last;
 *   <li>an NVLS channel crosses every cut between two GPUs twice, and at its head twice as often;
 *       heads differ, so a graph has at most as many channels as GPUs;
 *   <li>trees, NVLS and CollNet channels over several nodes cross a cut between all GPUs and the
 *       network twice.
 * </ul>
 *
 * <p>The sum of the bandwidths of all channels is therefore at most the capacity divided by the
 * number of crossings. Finding the narrowest cut between any two of n GPUs takes n - 1 maximum
 * flows from one of them (a Gomory-Hu tree would take one flow per vertex). Deterministic: of equal
 * cuts, the first one is used. For explanations and tests only, as a flow takes milliseconds.
 */
public final class BoundFinder {
  /** The vertex that represents all ports. */
  private static final int NETWORK = -1;

  /** The vertex that represents all GPUs in the cut between them and the network. */
  private static final int GPUS = -2;

  private final Domain domain;
  private final Topology topology;
  private final List<Integer> gpus;

  public BoundFinder(Domain domain) {
    this.domain = domain;
    this.topology = domain.topology();
    this.gpus = topology.indexList(NodeType.GPU);
  }

  /**
   * Returns the bound of a graph: the applicable bound of which the graph uses the largest
   * fraction. Empty if the graph has no channels, or no cut bounds it.
   */
  public Optional<GraphBound> find(ChannelGraph graph) {
    return graph.nChannels() == 0
        ? Optional.empty()
        : bounds(graph).stream().max(Comparator.comparingDouble(GraphBound::share));
  }

  private List<GraphBound> bounds(ChannelGraph graph) {
    double usedIntra = (double) graph.nChannels() * graph.bwIntra();
    double usedInter = (double) graph.nChannels() * graph.bwInter();
    List<GraphBound> bounds = new ArrayList<>();
    if (domain.crossesNetwork()) {
      SortedSet<Link> links = allLinks(graph);
      if (graph.pattern() == Pattern.RING) {
        List<Integer> terminals = new ArrayList<>(gpus);
        terminals.add(NETWORK);
        bounds.add(bound(narrowest(links, terminals), 2, Math.min(usedIntra, usedInter)));
      } else {
        bounds.add(bound(toNetwork(links), 2, usedInter));
      }
    }
    if (gpus.size() > 1) {
      SortedSet<Link> links = linksBetweenGpus(graph);
      boolean isClosed = graph.pattern() == Pattern.RING && !domain.crossesNetwork();
      if (isClosed || graph.pattern() == Pattern.NVLS) {
        bounds.add(bound(narrowest(links, gpus), 2, usedIntra));
      } else if (graph.pattern() != Pattern.COLLNET_DIRECT) {
        bounds.add(bound(narrowest(links, gpus), 1, usedIntra));
        bounds.add(bound(outOfEveryGpu(links), gpus.size() - 1, usedIntra));
      }
      if (graph.pattern() == Pattern.NVLS) {
        bounds.add(bound(widestGpu(links), 2 + 2.0 / gpus.size(), usedIntra));
      }
    }
    return bounds;
  }

  private static GraphBound bound(Cut cut, double crossings, double usedGBps) {
    return new GraphBound(cut.capacityGBps() / crossings, usedGBps, cut);
  }

  private SortedSet<Link> linksBetweenGpus(ChannelGraph graph) {
    SortedSet<Link> links = new TreeSet<>(Link.BY_ENDS);
    for (int gpu : gpus) {
      for (int other : gpus) {
        addPaths(gpu, other, graph.typeIntra(), links);
      }
      if (graph.pattern() == Pattern.NVLS) {
        for (int nvs : topology.indexes(NodeType.NVS)) {
          addPaths(gpu, nvs, graph.typeIntra(), links);
        }
      }
    }
    return links;
  }

  /** The links of {@link #linksBetweenGpus}, and those on the paths from GPUs to ports. */
  private SortedSet<Link> allLinks(ChannelGraph graph) {
    SortedSet<Link> links = linksBetweenGpus(graph);
    for (int gpu : gpus) {
      for (int port : topology.indexes(NodeType.NET)) {
        addPaths(gpu, port, graph.typeInter(), links);
      }
    }
    return links;
  }

  /**
   * Adds the links of the paths between two nodes, in each direction whose path is within a path
   * type.
   */
  private void addPaths(int a, int b, PathType farthest, SortedSet<Link> links) {
    Paths paths = domain.paths();
    if (a != b && paths.type(a, b).isWithin(farthest)) {
      links.addAll(paths.path(a, b).links());
    }
    if (a != b && paths.type(b, a).isWithin(farthest)) {
      links.addAll(paths.path(b, a).links());
    }
  }

  /** The narrowest cut between any two of the terminals. */
  private Cut narrowest(SortedSet<Link> links, List<Integer> terminals) {
    return cut(links, node -> isPort(node) ? NETWORK : node, terminals);
  }

  /** The narrowest cut between all GPUs and the network. */
  private Cut toNetwork(SortedSet<Link> links) {
    return cut(
        links,
        node -> isPort(node) ? NETWORK : gpus.contains(node) ? GPUS : node,
        List.of(GPUS, NETWORK));
  }

  private boolean isPort(int node) {
    return topology.node(node).type() == NodeType.NET;
  }

  private Cut cut(SortedSet<Link> links, IntUnaryOperator vertexOf, List<Integer> terminals) {
    Graph<Integer, DefaultWeightedEdge> view = TopologyView.of(links, vertexOf);
    MinimumSTCutAlgorithm<Integer, DefaultWeightedEdge> flow = new PushRelabelMFImpl<>(view);
    double minCapacity = Double.POSITIVE_INFINITY;
    Set<Integer> side = Set.of();
    for (Integer terminal : terminals.subList(1, terminals.size())) {
      double capacity = flow.calculateMinCut(terminals.get(0), terminal);
      if (capacity < minCapacity) {
        minCapacity = capacity;
        side = flow.getSourcePartition();
      }
    }
    return cutAround(side, vertexOf, links);
  }

  private Cut cutAround(Set<Integer> side, IntUnaryOperator vertexOf, SortedSet<Link> links) {
    IntPredicate isInside = node -> side.contains(vertexOf.applyAsInt(node));
    return new Cut(
        links.stream()
            .filter(link -> isInside.test(link.from()) != isInside.test(link.to()))
            .toList(),
        gpus.stream().filter(isInside::test).toList());
  }

  private Cut outOfEveryGpu(SortedSet<Link> links) {
    return new Cut(links.stream().filter(link -> gpus.contains(link.from())).toList(), gpus);
  }

  /** The cut around the GPU whose links have the highest total bandwidth. */
  private Cut widestGpu(SortedSet<Link> links) {
    return gpus.stream()
        .map(gpu -> cutAround(Set.of(gpu), node -> node, links))
        .max(Comparator.comparingDouble(Cut::capacityGBps))
        .orElseThrow();
  }
}
