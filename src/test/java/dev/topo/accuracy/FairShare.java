package dev.topo.accuracy;

import java.util.Arrays;
import java.util.List;

/**
 * What each of several flows gets where links are shared fairly: no flow can get more without one
 * that has no more than it getting less (max-min fairness, by progressive filling; D. Bertsekas and
 * R. Gallager, Data Networks, section 6.5.2). Takes time in the number of flows times that of links
 * at worst. Immutable.
 */
final class FairShare {
  private final double[] capacityGBps;

  /** Links with these capacities, each in one direction. */
  public FairShare(double[] capacityGBps) {
    this.capacityGBps = capacityGBps.clone();
  }

  /**
   * The rate of each flow in GB/s.
   *
   * @param linksOfFlow the links that each flow takes, by number
   * @param limitsGBps what each flow can use at most
   */
  public double[] rates(List<int[]> linksOfFlow, double[] limitsGBps) {
    int flows = linksOfFlow.size();
    double[] rates = new double[flows];
    boolean[] done = new boolean[flows];
    double[] free = capacityGBps.clone();
    int[] users = new int[free.length];
    for (int left = flows; left > 0; ) {
      Arrays.fill(users, 0);
      for (int f = 0; f < flows; f++) {
        if (!done[f]) {
          for (int link : linksOfFlow.get(f)) {
            users[link]++;
          }
        }
      }
      double step = Double.POSITIVE_INFINITY;
      for (int f = 0; f < flows; f++) {
        if (!done[f]) {
          step = Math.min(step, limitsGBps[f] - rates[f]);
          for (int link : linksOfFlow.get(f)) {
            step = Math.min(step, free[link] / users[link]);
          }
        }
      }
      for (int f = 0; f < flows; f++) {
        if (!done[f]) {
          rates[f] += step;
          for (int link : linksOfFlow.get(f)) {
            free[link] -= step;
          }
        }
      }
      left -= stop(linksOfFlow, limitsGBps, rates, free, done);
    }
    return rates;
  }

  /** Ends the flows that have reached their limit or a full link; at least one has. */
  private int stop(
      List<int[]> linksOfFlow, double[] limits, double[] rates, double[] free, boolean[] done) {
    int stopped = 0;
    for (int f = 0; f < rates.length; f++) {
      if (!done[f] && (isReached(rates[f], limits[f]) || isFull(linksOfFlow.get(f), free))) {
        done[f] = true;
        stopped++;
      }
    }
    return stopped;
  }

  private static boolean isReached(double rate, double limit) {
    return rate >= limit * (1 - 1e-9);
  }

  private boolean isFull(int[] links, double[] free) {
    for (int link : links) {
      if (free[link] <= 1e-9 * capacityGBps[link]) {
        return true;
      }
    }
    return false;
  }
}
