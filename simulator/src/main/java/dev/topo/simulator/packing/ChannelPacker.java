package dev.topo.simulator.packing;

import java.util.ArrayList;
import java.util.List;

/**
 * Packs channels into a node so that they are as fast as possible together by the link model. One
 * after the other takes the cheapest links at prices that grow exponentially with their load
 * (Plotkin, Shmoys and Tardos, 1995); then each in turn is removed and placed again at steeper
 * prices. The same prices give the bound: no channels, with whatever shares, are faster together
 * than the capacities at some prices divided by the cost of the cheapest channel (duality of linear
 * programs). Deterministic; the work is limited by steps, not by time.
 */
final class ChannelPacker {
  /** A part by which a bandwidth may fall short of another and still counts as equal. */
  static final double TOLERANCE = 1e-6;

  /** Distance to the bound at which a bandwidth counts as equal to it. */
  static final double NEAR = 1e-3;

  private static final int BOUND_ROUNDS = 300;

  /** Steepness of the prices of the bound in its first round, and what each adds. */
  private static final double BOUND_STEEPNESS = 3;

  private static final double BOUND_STEEPER = 0.3;

  /** Steepness of prices in each sweep over the channels. */
  private static final double[] STEEPNESS = {6, 10, 16, 24, 32, 48, 64, 96, 128, 192, 256};

  /** Sweeps without anything better after which a search ends. */
  private static final int PATIENCE = 4;

  /** Steps of all searches of a packer, some tenths of a second. */
  private static final long MOST_STEPS = 150_000_000;

  private final ChannelSpace space;
  private final ChannelOracle oracle;
  private final double[] capacity;
  private double bound;
  private long stepsLeft = MOST_STEPS;

  /**
   * A packer.
   *
   * @param knownBound what no channels exceed in GB/s, from elsewhere; infinite if not known
   */
  ChannelPacker(ChannelSpace space, PortRule ports, double knownBound) {
    this.space = space;
    this.oracle = ChannelOracle.of(space, ports);
    this.capacity = space.capacityGBps();
    this.bound = knownBound;
    tightenBound();
  }

  /**
   * A bandwidth that no channels exceed together, in GB/s; for more GPUs than can be searched
   * completely the least value that was found, which need not be a bound.
   */
  double boundGBps() {
    return bound;
  }

  /** True if {@link #boundGBps} is a bound for certain. */
  boolean isBoundExact() {
    return oracle.isExact();
  }

  private void tightenBound() {
    double[] used = new double[capacity.length];
    for (int round = 0; round < BOUND_ROUNDS && stepsLeft > MOST_STEPS / 2; round++) {
      ChannelOracle.Answer answer = cheapest(used, BOUND_STEEPNESS + round * BOUND_STEEPER);
      if (answer.cost() == Double.POSITIVE_INFINITY || answer.cost() == 0) {
        return;
      }
      double[] loads = new double[capacity.length];
      answer.channels().forEach(channel -> space.add(channel, loads, 1));
      double rate = space.totalGBps(1, loads);
      for (int link = 0; link < used.length; link++) {
        used[link] += rate * loads[link] / capacity[link];
      }
    }
  }

  /**
   * The cheapest channels where links are used so much, the most used of them at the price of 1.
   */
  private ChannelOracle.Answer cheapest(double[] used, double steepness) {
    double most = 0;
    for (double load : used) {
      most = Math.max(most, load);
    }
    double[] prices = new double[capacity.length];
    double value = 0;
    for (int link = 0; link < prices.length; link++) {
      if (capacity[link] < Double.POSITIVE_INFINITY) {
        double part = most == 0 ? 1 : Math.max(0, used[link]) / most;
        double price = Math.exp(steepness * (part - 1));
        prices[link] = price / capacity[link];
        value += price;
      }
    }
    stepsLeft -= oracle.steps();
    ChannelOracle.Answer answer = oracle.cheapest(prices);
    if (answer.cost() > 0) {
      bound = Math.min(bound, value / answer.cost());
    }
    return answer;
  }

  /** So many channels; an even number of them where they alternate. */
  List<PlacedChannel> pack(int count) {
    double[] used = new double[capacity.length];
    List<List<PlacedChannel>> units = new ArrayList<>();
    int channels = 0;
    while (channels < count) {
      List<PlacedChannel> unit = cheapest(used, STEEPNESS[0]).channels();
      units.add(unit);
      use(unit, used, 1);
      channels += unit.size();
    }
    List<PlacedChannel> best = all(units);
    double bestGBps = space.totalGBps(best);
    int idle = 0;
    for (double steepness : STEEPNESS) {
      double before = bestGBps;
      for (int u = 0; u < units.size() && stepsLeft > 0 && !isReached(bestGBps); u++) {
        use(units.get(u), used, -1);
        units.set(u, cheapest(used, steepness).channels());
        use(units.get(u), used, 1);
        List<PlacedChannel> now = all(units);
        double nowGBps = space.totalGBps(now);
        if (nowGBps > bestGBps * (1 + TOLERANCE)) {
          bestGBps = nowGBps;
          best = now;
        }
      }
      idle = bestGBps > before ? 0 : idle + 1;
      if (idle == PATIENCE) {
        break;
      }
    }
    return best;
  }

  /** True if nothing can be better. */
  boolean isReached(double gbps) {
    return gbps >= bound * (1 - NEAR);
  }

  private static List<PlacedChannel> all(List<List<PlacedChannel>> units) {
    return units.stream().flatMap(List::stream).toList();
  }

  /** Adds what channels take of the capacity of links. */
  private void use(List<PlacedChannel> channels, double[] used, int sign) {
    double[] loads = new double[capacity.length];
    channels.forEach(channel -> space.add(channel, loads, sign));
    for (int link = 0; link < used.length; link++) {
      used[link] += loads[link] / capacity[link];
    }
  }
}
