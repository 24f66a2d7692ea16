package dev.topo.simulator.network;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Load of the busiest uplinks of a network in a call: the time of the slowest uplink for one byte
 * of each channel (for sends and receives, one byte of each transfer). If each flow stays on one
 * link of an uplink, that time is random, and flows on the same link share it equally. Immutable.
 */
public final class UplinkLoad {
  /** No traffic between switches whose uplinks are known. */
  public static final UplinkLoad NONE =
      new UplinkLoad(new Uplink("", 0, 1, 0), new double[0], new double[0], "");

  private static final int TIME_STEPS = 512;
  private static final double NEARLY_ONE = 1 - 1e-4;

  /**
   * An uplink in one direction.
   *
   * @param name name of the switch below the uplink
   * @param flows number of flows
   * @param links number of equal links; each flow takes one of them
   * @param evenPs time for all flows, in picoseconds, if all links carry the same
   */
  record Uplink(String name, double flows, int links, double evenPs) {
    /** Time in picoseconds if the fullest link has {@code fullest} flows. */
    double ps(double fullest) {
      return evenPs * links * fullest / flows;
    }

    double leastPs() {
      return links == 1 ? evenPs : ps(Math.ceil(flows / links));
    }
  }

  private final Uplink slowest;

  /** Times in picoseconds, ascending. */
  private final double[] steps;

  /** For each time the probability that no uplink takes longer. */
  private final double[] atMost;

  private final String disconnected;

  private UplinkLoad(Uplink slowest, double[] steps, double[] atMost, String disconnected) {
    this.disconnected = disconnected;
    this.slowest = slowest;
    this.steps = steps;
    this.atMost = atMost;
  }

  /** Uplinks of a kind have the same distribution of times. */
  private record Kind(double flows, int links, double evenPs) {}

  /**
   * Load of the slowest of uplinks with independent loads.
   *
   * @param disconnected names of two leaves with traffic but no path between them; empty if there
   *     is a path for all traffic
   */
  static UplinkLoad slowestOf(List<Uplink> uplinks, String disconnected) {
    Map<Kind, Integer> kinds = new LinkedHashMap<>();
    Uplink slowest = new Uplink("", 0, 1, 0);
    double least = 0;
    for (Uplink uplink : uplinks) {
      double rounded = Math.round(uplink.flows);
      if (uplink.links > 1 && rounded > 1) {
        kinds.merge(new Kind(rounded, uplink.links, uplink.evenPs), 1, Integer::sum);
      }
      least = Math.max(least, uplink.leastPs());
      slowest = uplink.evenPs > slowest.evenPs * (1 + 1e-9) ? uplink : slowest;
    }
    double[] steps = {least};
    double[] atMost = {1};
    if (!kinds.isEmpty() && least > 0) {
      List<KindLoad> loads = new ArrayList<>();
      kinds.forEach(
          (kind, count) ->
              loads.add(new KindLoad(kind, count, new FullestLink(kind.flows, kind.links))));
      double longest = 2 * least;
      while (probability(loads, longest) < NEARLY_ONE) {
        longest *= 2;
      }
      double width = (longest - least) / TIME_STEPS;
      double first = least;
      steps = IntStream.rangeClosed(0, TIME_STEPS).mapToDouble(i -> first + i * width).toArray();
      atMost = DoubleStream.of(steps).map(ps -> probability(loads, ps)).toArray();
    }
    return new UplinkLoad(slowest, steps, atMost, disconnected);
  }

  /** {@code count} independent uplinks of a kind. */
  private record KindLoad(Kind kind, int count, FullestLink fullest) {
    /** Probability that none of them takes longer than a time in picoseconds. */
    double atMost(double ps) {
      return Math.pow(fullest.atMost(ps * kind.flows / (kind.evenPs * kind.links)), count);
    }
  }

  /** Probability that no uplink takes longer than a time in picoseconds. */
  private static double probability(List<KindLoad> kinds, double ps) {
    double probability = 1;
    for (KindLoad kind : kinds) {
      probability *= kind.atMost(ps * (1 + 1e-12));
    }
    return probability;
  }

  /** Why some traffic has no path; empty if all traffic has one. */
  public Optional<String> obstacle() {
    return disconnected.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "no path joins the switches "
                + disconnected
                + ", so that NCCL fails to connect the ranks");
  }

  /** Name of the switch whose uplink takes longest; empty if no uplink has a load. */
  public String name() {
    return slowest.name;
  }

  /** True if flows may share a link of an uplink while other links are free. */
  public boolean isRandom() {
    return steps.length > 1;
  }

  /**
   * Expected value of the longer of two times for one byte, in picoseconds: that of the slowest
   * uplink, and a given one.
   *
   * @param leastPs time that another resource takes for the byte
   */
  public double psPerByte(double leastPs) {
    if (steps.length == 0 || steps[steps.length - 1] <= leastPs) {
      return leastPs;
    }
    double expected = Math.max(leastPs, steps[0]);
    for (int i = 1; i < steps.length; i++) {
      double from = Math.max(steps[i - 1], leastPs);
      expected += Math.max(0, steps[i] - from) * (1 - atMost[i - 1]);
    }
    return expected;
  }

  /**
   * The load at a quantile of the time over all hashes.
   *
   * @param part fraction of hashes with at most this time
   */
  public UplinkLoad at(double part) {
    if (!isRandom()) {
      return this;
    }
    int i = 0;
    while (i < steps.length - 1 && atMost[i] < part) {
      i++;
    }
    return new UplinkLoad(slowest, new double[] {steps[i]}, new double[] {1}, disconnected);
  }
}
