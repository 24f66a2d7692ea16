package dev.topo.simulator.network;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The load of the busiest uplinks of a network in a call: the time that the slowest takes for one
 * byte of each channel (of sends and receives, one byte of each transfer). Where each flow stays on
 * one link of an uplink, that time is random; flows that share a link get equal parts of it.
 * Immutable.
 */
public final class UplinkLoad {
  /** No traffic between switches whose uplinks are known. */
  public static final UplinkLoad NONE =
      new UplinkLoad(new Uplink("", 0, 1, 0), new double[0], new double[0]);

  private static final int STEPS = 512;
  private static final double NEARLY_ONE = 1 - 1e-4;

  /**
   * An uplink in one direction.
   *
   * @param name its switch
   * @param links equal links that each flow takes one of
   * @param evenPs what it takes for all of them where its links carry equally much
   */
  record Uplink(String name, double flows, int links, double evenPs) {
    /** The time if its fullest link has a number of flows. */
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

  /** For each of them the probability that no uplink takes longer than that. */
  private final double[] atMost;

  private UplinkLoad(Uplink slowest, double[] steps, double[] atMost) {
    this.slowest = slowest;
    this.steps = steps;
    this.atMost = atMost;
  }

  private record Kind(double flows, int links, double evenPs) {}

  /** The slowest of uplinks that are loaded independently of each other. */
  static UplinkLoad slowestOf(List<Uplink> uplinks) {
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
      List<Many> many = new ArrayList<>();
      kinds.forEach(
          (kind, count) ->
              many.add(new Many(kind, count, new FullestLink(kind.flows, kind.links))));
      double most = 2 * least;
      while (probability(many, most) < NEARLY_ONE) {
        most *= 2;
      }
      double width = (most - least) / STEPS;
      double first = least;
      steps = IntStream.rangeClosed(0, STEPS).mapToDouble(i -> first + i * width).toArray();
      atMost = DoubleStream.of(steps).map(ps -> probability(many, ps)).toArray();
    }
    return new UplinkLoad(slowest, steps, atMost);
  }

  private record Many(Kind kind, int count, FullestLink fullest) {
    double atMost(double ps) {
      return Math.pow(fullest.atMost(ps * kind.flows / (kind.evenPs * kind.links)), count);
    }
  }

  private static double probability(List<Many> kinds, double ps) {
    double probability = 1;
    for (Many kind : kinds) {
      probability *= kind.atMost(ps * (1 + 1e-12));
    }
    return probability;
  }

  /** The switch whose uplink takes longest; empty if there is none. */
  public String name() {
    return slowest.name;
  }

  /** True if flows may meet on a link of an uplink while others are free. */
  public boolean isRandom() {
    return steps.length > 1;
  }

  /**
   * The expected time for one byte.
   *
   * @param leastPs what something else takes for it at the same time
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

  /** The load where the time is that which a part of all hashes stays below. */
  public UplinkLoad at(double part) {
    if (!isRandom()) {
      return this;
    }
    int i = 0;
    while (i < steps.length - 1 && atMost[i] < part) {
      i++;
    }
    return new UplinkLoad(slowest, new double[] {steps[i]}, new double[] {1});
  }
}
