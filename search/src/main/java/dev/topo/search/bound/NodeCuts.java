package dev.topo.search.bound;

import dev.topo.model.Topology;
import dev.topo.search.bound.FlowNetwork.MinCut;
import dev.topo.search.bound.LinkRates.PhysicalLinks;
import dev.topo.search.bound.OperationBound.BoundCut;
import dev.topo.search.path.Domain;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Cuts of one node of a job, with all other nodes as one terminal behind the ports. Not
 * thread-safe.
 *
 * @param links its links
 * @param node a node of this kind
 * @param count number of nodes of this kind in the job
 * @param inwards the links in their directions
 * @param outwards the links reversed
 * @param hasReducingSwitch whether NVSwitches reduce
 */
record NodeCuts(
    PhysicalLinks links,
    int node,
    int count,
    FlowNetwork inwards,
    FlowNetwork outwards,
    boolean hasReducingSwitch) {
  private static final double ROUNDING = 1e-9;

  /**
   * The cuts of a kind of node.
   *
   * @param allRanks ranks of the job
   */
  static NodeCuts of(PhysicalLinks links, int node, int count, int allRanks) {
    Topology topology = links.domain().topology();
    int outside = allRanks - topology.gpus().size();
    return new NodeCuts(
        links,
        node,
        count,
        new FlowNetwork(links, false, outside),
        new FlowNetwork(links, true, outside),
        hasReducingSwitch(topology));
  }

  static boolean hasReducingSwitch(Topology topology) {
    return topology.hasNvSwitch() && LinkRates.switchesReduce(topology.minSm().orElse(0));
  }

  /**
   * Upper bound of an operation's algbw in GB/s, set by a cut.
   *
   * @param parts number of parts of the job that the links separate from each other; 1 where they
   *     separate one side from the rest
   */
  record Limit(double algbwGBps, BoundCut cut, long parts) {
    boolean isBelow(Optional<Limit> other) {
      return other.isEmpty() || algbwGBps < other.get().algbwGBps * (1 - ROUNDING);
    }
  }

  Domain domain() {
    return links.domain();
  }

  FlowNetwork network(boolean isOutwards) {
    return isOutwards ? outwards : inwards;
  }

  /**
   * The bound if every rank outside a side has an equal part of the data for it: the smallest ratio
   * of the rate into a side to the number of ranks outside of it, over all sides with one of the
   * sinks. Newton's method on the ratio; each step is a maximum flow from all ranks to a sink, as
   * in ForestColl.
   */
  Optional<Limit> parts(boolean isOutwards, Collection<Integer> sinks) {
    FlowNetwork network = network(isOutwards);
    int ranks = network.allRanks();
    Set<Integer> best = Set.of();
    double rate = LinkRates.UNLIMITED_GBPS;
    boolean improved = true;
    while (improved) {
      improved = false;
      for (int sink : sinks) {
        double part = rate;
        MinCut cut =
            network.minCut(
                terminal -> terminal == sink ? 0 : network.ranks(terminal) * part,
                terminal -> terminal == sink ? LinkRates.UNLIMITED_GBPS * ranks : 0);
        int outside = ranks - network.ranks(cut.side());
        if (outside == 0) {
          continue;
        }
        double ratio = network.capacityInto(cut.side()) / outside;
        if (ratio < rate * (1 - ROUNDING)) {
          rate = ratio;
          best = cut.side();
          improved = true;
        }
      }
    }
    return limit(network, rate * ranks, List.of(best));
  }

  private Optional<Limit> limit(FlowNetwork network, double algbw, List<Set<Integer>> sides) {
    return algbw <= 0 || algbw >= LinkRates.UNLIMITED_GBPS || sides.get(0).isEmpty()
        ? Optional.empty()
        : Optional.of(new Limit(algbw, network.cut(node, sides), 1));
  }

  /** The bound if all data goes from one terminal to each of the others. */
  Optional<Limit> fromRoot(boolean isOutwards, int root) {
    FlowNetwork network = network(isOutwards);
    MinCut least = new MinCut(LinkRates.UNLIMITED_GBPS, Set.of());
    for (int terminal : network.terminals()) {
      if (terminal != root) {
        MinCut cut = network.between(root, terminal);
        least = cut.value() < least.value() * (1 - ROUNDING) ? cut : least;
      }
    }
    return limit(network, least.value(), List.of(least.side()));
  }

  /** The bound if all data has to cross every cut between ranks, in both directions. */
  Optional<Limit> separating() {
    int first = inwards.terminals().get(0);
    Optional<Limit> into = fromRoot(false, first);
    Optional<Limit> out = fromRoot(true, first);
    return out.isPresent() && out.get().isBelow(into) ? out : into;
  }

  /**
   * The bound by the data that crosses the cut around the given GPUs.
   *
   * @param demand number of bytes that have to enter the GPUs, in the direction of the network, for
   *     each byte of the call
   */
  Optional<Limit> around(boolean isOutwards, Set<Integer> gpus, double demand) {
    FlowNetwork network = network(isOutwards);
    MinCut cut = network.around(gpus);
    return limit(network, cut.value() / demand, List.of(cut.side()));
  }

  /**
   * A partition of the GPUs and the rate into its parts.
   *
   * @param parts the vertices of each part
   * @param capacityGBps the total rate into all parts in GB/s
   */
  record Partition(List<Set<Integer>> parts, double capacityGBps) {}

  /**
   * The partition of the GPUs whose parts have the least rate into them, less {@code demand} for
   * each part (Dilworth truncation of the cut function, greedy; a maximum flow for each GPU).
   */
  Partition weakest(double demand) {
    Map<Integer, Double> given = new LinkedHashMap<>();
    List<Set<Integer>> parts = List.of();
    for (int gpu : inwards.gpus()) {
      MinCut cut =
          inwards.minCut(
              terminal -> terminal == gpu ? 0 : outside(given, terminal),
              terminal ->
                  terminal == gpu
                      ? LinkRates.UNLIMITED_GBPS
                      : Math.max(0, given.getOrDefault(terminal, 0.0)));
      Set<Integer> merged = new HashSet<>(Set.of(gpu));
      double excess = inwards.capacityInto(cut.side()) - demand;
      for (Map.Entry<Integer, Double> earlier : given.entrySet()) {
        if (cut.side().contains(earlier.getKey())) {
          excess -= earlier.getValue();
          merged.add(earlier.getKey());
        }
      }
      given.put(gpu, excess);
      parts = merge(parts, merged);
    }
    return partition(parts);
  }

  /** The capacity that keeps a terminal outside: GPUs not yet processed are never inside. */
  private static double outside(Map<Integer, Double> given, int terminal) {
    return Math.max(0, -given.getOrDefault(terminal, -LinkRates.UNLIMITED_GBPS));
  }

  /** The parts, with those that contain any of the given GPUs merged into one. */
  private static List<Set<Integer>> merge(List<Set<Integer>> parts, Set<Integer> gpus) {
    Set<Integer> merged = new HashSet<>(gpus);
    List<Set<Integer>> kept = new ArrayList<>();
    for (Set<Integer> part : parts) {
      if (Collections.disjoint(part, gpus)) {
        kept.add(part);
      } else {
        merged.addAll(part);
      }
    }
    kept.add(merged);
    return kept;
  }

  Partition singles() {
    return partition(inwards.gpus().stream().map(Set::of).toList());
  }

  Partition whole() {
    return partition(List.of(Set.copyOf(inwards.gpus())));
  }

  private Partition partition(List<Set<Integer>> gpus) {
    if (gpus.size() == 1 && !inwards.hasOutside()) {
      return new Partition(List.of(gpus.get(0)), 0);
    }
    List<Set<Integer>> parts = new ArrayList<>();
    double capacity = 0;
    for (Set<Integer> part : gpus) {
      MinCut cut = inwards.around(part);
      parts.add(cut.side());
      capacity += cut.value();
    }
    return new Partition(parts, capacity);
  }
}
