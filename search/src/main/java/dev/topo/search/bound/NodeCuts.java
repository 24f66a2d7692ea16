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
 * Finds the minimum cuts of a node of a job. All other nodes form one terminal behind the ports.
 * Not thread-safe.
 *
 * @param links the links of the node
 * @param node index of the first of the equal nodes that this object represents
 * @param count number of these nodes in the job
 * @param inwards the flow network of the links in their own directions
 * @param outwards the flow network of the reversed links
 * @param hasReducingSwitch whether the NVSwitches of the node reduce
 */
record NodeCuts(
    PhysicalLinks links,
    int node,
    int count,
    FlowNetwork inwards,
    FlowNetwork outwards,
    boolean hasReducingSwitch) {
  /** Relative difference below which two rates count as equal. */
  private static final double ROUNDING = 1e-9;

  /**
   * Creates the cut finder of a group of equal nodes.
   *
   * @param allRanks number of ranks of the job
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
   * An upper bound on the algbw of an operation and the cut that determines it.
   *
   * @param algbwGBps the bound in GB/s
   * @param parts number of parts into which the links of the cut divide the job; 1 if they only
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
   * The bound if every rank outside a side holds an equal part of the data that the side needs. It
   * is the smallest ratio of the rate into a side to the number of ranks outside it, over all sides
   * that contain one of the sinks. Found by Newton's method on the ratio; each step is a maximum
   * flow from all ranks to a sink, as in ForestColl.
   */
  Optional<Limit> equalParts(boolean isOutwards, Collection<Integer> sinks) {
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

  /** The bound if all data has to get from one terminal to each of the others. */
  Optional<Limit> fromRoot(boolean isOutwards, int root) {
    FlowNetwork network = network(isOutwards);
    MinCut narrowest = new MinCut(LinkRates.UNLIMITED_GBPS, Set.of());
    for (int terminal : network.terminals()) {
      if (terminal != root) {
        MinCut cut = network.between(root, terminal);
        narrowest = cut.value() < narrowest.value() * (1 - ROUNDING) ? cut : narrowest;
      }
    }
    return limit(network, narrowest.value(), List.of(narrowest.side()));
  }

  /** The bound if all data has to cross every cut between ranks, in both directions. */
  Optional<Limit> separating() {
    int first = inwards.terminals().get(0);
    Optional<Limit> into = fromRoot(false, first);
    Optional<Limit> out = fromRoot(true, first);
    return out.isPresent() && out.get().isBelow(into) ? out : into;
  }

  /**
   * The bound from the data that has to enter a set of GPUs.
   *
   * @param isOutwards whether the data has to leave the GPUs instead
   * @param demand bytes that have to enter or leave the GPUs per byte of the call
   */
  Optional<Limit> around(boolean isOutwards, Set<Integer> gpus, double demand) {
    FlowNetwork network = network(isOutwards);
    MinCut cut = network.around(gpus);
    return limit(network, cut.value() / demand, List.of(cut.side()));
  }

  /**
   * A partition of the GPUs of a node, and the total rate into its parts.
   *
   * @param parts the vertices of each part
   * @param capacityGBps the total rate into all parts in GB/s
   */
  record Partition(List<Set<Integer>> parts, double capacityGBps) {}

  /**
   * The partition of the GPUs that minimises the total rate into its parts minus {@code demand} per
   * part. Greedy Dilworth truncation of the cut function; one maximum flow per GPU.
   */
  Partition weakest(double demand) {
    Map<Integer, Double> excesses = new LinkedHashMap<>();
    List<Set<Integer>> parts = List.of();
    for (int gpu : inwards.gpus()) {
      MinCut cut =
          inwards.minCut(
              terminal -> terminal == gpu ? 0 : capacityOutside(excesses, terminal),
              terminal ->
                  terminal == gpu
                      ? LinkRates.UNLIMITED_GBPS
                      : Math.max(0, excesses.getOrDefault(terminal, 0.0)));
      Set<Integer> merged = new HashSet<>(Set.of(gpu));
      double excess = inwards.capacityInto(cut.side()) - demand;
      for (Map.Entry<Integer, Double> earlier : excesses.entrySet()) {
        if (cut.side().contains(earlier.getKey())) {
          excess -= earlier.getValue();
          merged.add(earlier.getKey());
        }
      }
      excesses.put(gpu, excess);
      parts = merge(parts, merged);
    }
    return partition(parts);
  }

  /** The capacity that keeps a terminal outside; unlimited for GPUs that are not yet processed. */
  private static double capacityOutside(Map<Integer, Double> excesses, int terminal) {
    return Math.max(0, -excesses.getOrDefault(terminal, -LinkRates.UNLIMITED_GBPS));
  }

  /** Merges the given GPUs and all parts that contain any of them into one part. */
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

  /** The partition into single GPUs. */
  Partition singles() {
    return partition(inwards.gpus().stream().map(Set::of).toList());
  }

  /** The partition whose only part contains all GPUs. */
  Partition undivided() {
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
