package dev.topo.simulator.timing;

import java.util.List;

/**
 * The hops that the data of an algorithm takes, and how they share links.
 *
 * @param stages what is sent at the same time when all channels are at the same step: one entry for
 *     a ring, where every step looks alike; for a tree the hops up, from the leaves, and then the
 *     hops down
 * @param together all hops at once, as in the middle of a long call
 */
public record TrafficRoute(List<Contention> stages, Contention together) {
  public TrafficRoute {
    stages = List.copyOf(stages);
    if (stages.isEmpty()) {
      throw new IllegalArgumentException("a route needs at least one stage");
    }
  }

  /** A ring, where all hops are always sent at once. */
  public static TrafficRoute ring(Contention hops) {
    return new TrafficRoute(List.of(hops), hops);
  }

  /** The route while so many groups send alike. */
  public TrafficRoute times(int groups) {
    return new TrafficRoute(
        stages.stream().map(stage -> stage.times(groups)).toList(), together.times(groups));
  }
}
