package dev.topo.simulator.packing;

import java.util.ArrayList;
import java.util.List;

/**
 * Packs channels into a node so that their total bandwidth by the link model is as high as
 * possible. Channels are placed one after the other, each on the cheapest links at prices that grow
 * exponentially with the load (Plotkin, Shmoys and Tardos, 1995); then each in turn is removed and
 * placed again at steeper prices. The same prices give an upper bound: at any prices, the total
 * bandwidth of any channels with any shares is at most the value of all capacities divided by the
 * cost of the cheapest channel (linear programming duality). Deterministic; the work is limited by
 * steps, which all calls share, not by time.
 */
final class ChannelPacker {
  /** Relative difference below which two bandwidths count as equal. */
  static final double TOLERANCE = 1e-6;

  /** Relative distance to the bound below which a bandwidth counts as equal to it. */
  static final double NEAR = 1e-3;

  private static final int BOUND_ROUNDS = 300;

  /** Steepness of the bound's prices in the first round, and its increase per round. */
  private static final double BOUND_STEEPNESS = 3;

  private static final double BOUND_STEEPER = 0.3;

  /** Steepness of prices in each pass over the channels. */
  private static final double[] STEEPNESS = {6, 10, 16, 24, 32, 48, 64, 96, 128, 192, 256};

  /** Passes without improvement after which a search ends. */
  private static final int PATIENCE = 4;

  /** Limit of the steps of all searches of a packer together: some tenths of a second. */
  private static final long MOST_STEPS = 150_000_000;

  private final ChannelSpace space;
  private final ChannelOracle oracle;
  private final double[] capacity;
  private double bound;
  private long stepsLeft = MOST_STEPS;

  /**
   * Creates a packer for a space.
   *
   * @param knownBound known upper bound of the total bandwidth in GB/s; infinite if there is none
   */
  ChannelPacker(ChannelSpace space, PortRule ports, double knownBound) {
    this.space = space;
    this.oracle = ChannelOracle.of(space, ports);
    this.capacity = space.capacityGBps();
    this.bound = knownBound;
    tightenBound();
  }

  /**
   * Upper bound of the total bandwidth of channels in GB/s. With too many GPUs for an exact search
   * it is an estimate that channels may exceed. Packing may lower it.
   */
  double boundGBps() {
    return bound;
  }

  /** True if {@link #boundGBps} is proven. */
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
   * Finds the cheapest channels if links have the given loads, and tightens the bound. Prices are
   * relative to that of the most loaded link's capacity, which is 1.
   */
  private ChannelOracle.Answer cheapest(double[] used, double steepness) {
    double mostLoad = 0;
    for (double load : used) {
      mostLoad = Math.max(mostLoad, load);
    }
    double[] prices = new double[capacity.length];
    double value = 0;
    for (int link = 0; link < prices.length; link++) {
      if (capacity[link] < Double.POSITIVE_INFINITY) {
        double relativeLoad = mostLoad == 0 ? 1 : Math.max(0, used[link]) / mostLoad;
        double price = Math.exp(steepness * (relativeLoad - 1));
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

  /** Packs {@code count} channels; the number must be even if they alternate. */
  List<PlacedChannel> pack(int count) {
    double[] used = new double[capacity.length];
    List<List<PlacedChannel>> units = new ArrayList<>();
    int channels = 0;
    while (channels < count) {
      List<PlacedChannel> unit = cheapest(used, STEEPNESS[0]).channels();
      units.add(unit);
      addUse(unit, used, 1);
      channels += unit.size();
    }
    List<PlacedChannel> best = all(units);
    double bestGBps = space.totalGBps(best);
    int idlePasses = 0;
    for (double steepness : STEEPNESS) {
      double previousGBps = bestGBps;
      for (int u = 0; u < units.size() && stepsLeft > 0 && !isReached(bestGBps); u++) {
        addUse(units.get(u), used, -1);
        units.set(u, cheapest(used, steepness).channels());
        addUse(units.get(u), used, 1);
        List<PlacedChannel> packed = all(units);
        double packedGBps = space.totalGBps(packed);
        if (packedGBps > bestGBps * (1 + TOLERANCE)) {
          bestGBps = packedGBps;
          best = packed;
        }
      }
      idlePasses = bestGBps > previousGBps ? 0 : idlePasses + 1;
      if (idlePasses == PATIENCE) {
        break;
      }
    }
    return best;
  }

  /** True if a bandwidth is so near the bound that improving it is not worthwhile. */
  boolean isReached(double gbps) {
    return gbps >= bound * (1 - NEAR);
  }

  private static List<PlacedChannel> all(List<List<PlacedChannel>> units) {
    return units.stream().flatMap(List::stream).toList();
  }

  /**
   * Adds the fraction of its capacity that channels take on each link, or removes it with a sign of
   * -1.
   */
  private void addUse(List<PlacedChannel> channels, double[] used, int sign) {
    double[] loads = new double[capacity.length];
    channels.forEach(channel -> space.add(channel, loads, sign));
    for (int link = 0; link < used.length; link++) {
      used[link] += loads[link] / capacity[link];
    }
  }
}
