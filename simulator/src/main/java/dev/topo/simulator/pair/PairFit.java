package dev.topo.simulator.pair;

import dev.topo.model.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An explanation of the rates of a matrix, with its cost: the level of healthy runs, the noise, and
 * the slowdown (depth) of each accused part. All rates and slowdowns are logarithms.
 *
 * <p>A run is as slow as its slowest part or, if several of its parts are slow, up to as slow as
 * all of them together. What remains is noise (normal, with one standard deviation for all runs),
 * or the run is a stray, whose rate is anywhere in a range. Costs are minus the logarithm of the
 * likelihood and of the priors, in nats; the best explanation has the lowest. Mutable; for one
 * search.
 */
final class PairFit {
  /** Expected fraction of strays: runs that nothing explains. */
  private static final double STRAYS = 0.02;

  /** Range of the rates of strays, as a logarithm. */
  private static final double RANGE = 3;

  /** Cost of a stray, in nats. */
  static final double STRAY = Math.log(RANGE) - Math.log(STRAYS);

  /**
   * Cost, in nats, of a run that is slower than its slowest part because several slow parts add up:
   * one case in ten.
   */
  private static final double SUM_COST = -Math.log(0.1);

  /** Cost, in nats, of a run that is only as slow as the slowest of several slow parts. */
  private static final double SLOWEST_COST = -Math.log(0.9);

  private static final double NORMAL_CONSTANT = 0.5 * Math.log(2 * Math.PI);
  private static final double MAD_TO_DEVIATION = 1.4826;

  /** Least noise of healthy runs, as a logarithm: repeated runs of a pair do not agree better. */
  private static final double LEAST_NOISE = 0.005;

  /** With fewer runs, a small noise cannot be told from chance. */
  private static final int FEW_RUNS = 15;

  private static final double NOISE_OF_FEW = 0.04;
  private static final double NOISE_MARGIN_OF_FEW = 4;
  private static final double MOST_NOISE = 0.12;

  /** Least slowdown of an accused part, as a logarithm. */
  static final double LEAST_DEPTH = 0.03;

  private static final int DEPTHS = 12;
  private static final int ROUNDS = 2;

  private final double[] logs;
  private final int[] levelOfRun;
  private double[] levels;
  private double noise;
  private double normalConstant;
  private final List<Suspect> accused = new ArrayList<>();
  private final List<Double> depths = new ArrayList<>();

  /** Slowdown of the slowest accused part of each run. */
  private double[] deepest;

  /** Sum of the slowdowns of the accused parts of each run. */
  private double[] sum;

  PairFit(double[] logs, int[] levelOfRun, double[] levels, double noise) {
    this.logs = logs;
    this.levelOfRun = levelOfRun;
    this.levels = levels.clone();
    setNoise(noise);
    this.deepest = new double[logs.length];
    this.sum = new double[logs.length];
  }

  /** Returns a copy to try changes on. */
  PairFit copy() {
    PairFit copy = new PairFit(logs, levelOfRun, levels, noise);
    copy.accused.addAll(accused);
    copy.depths.addAll(depths);
    copy.deepest = deepest.clone();
    copy.sum = sum.clone();
    return copy;
  }

  /** Takes over the state of a trial. */
  void take(PairFit tried) {
    levels = tried.levels;
    setNoise(tried.noise);
    accused.clear();
    accused.addAll(tried.accused);
    depths.clear();
    depths.addAll(tried.depths);
    deepest = tried.deepest;
    sum = tried.sum;
  }

  private void setNoise(double deviation) {
    noise = deviation;
    normalConstant = Math.log(deviation) + NORMAL_CONSTANT;
  }

  List<Suspect> accused() {
    return accused;
  }

  double depth(int index) {
    return depths.get(index);
  }

  double noise() {
    return noise;
  }

  double level(int index) {
    return levels[index];
  }

  /**
   * The part of a run's deviation from its level that the accused parts do not explain; negative if
   * the run is slower.
   */
  double rest(int run) {
    return rest(run, deepest[run], sum[run]);
  }

  /**
   * Deviation of a run from its level, regardless of accused parts; negative if the run is slower.
   */
  double deviation(int run) {
    return logs[run] - levels[levelOfRun[run]];
  }

  boolean isExplained(int run) {
    return sum[run] > 0;
  }

  /** True if a run deviates by more than noise and no accused part explains it. */
  boolean isStray(int run) {
    return cost(run, deepest[run], sum[run]) >= STRAY;
  }

  private double rest(int run, double least, double most) {
    double difference = deviation(run);
    if (difference > -least) {
      return difference + least;
    }
    return Math.min(0, difference + most);
  }

  /**
   * Cost of a run. A run with several slow parts is usually as slow as the slowest of them,
   * otherwise anywhere between that and their sum.
   */
  private double cost(int run, double least, double most) {
    double rest = deviation(run) + least;
    double alone = cost(rest);
    if (most <= least) {
      return alone;
    }
    double beyond = Math.min(0, rest + most - least) / noise;
    double inRange = beyond * beyond / 2 + Math.log(most - least + noise) + SUM_COST;
    return rest >= 0 ? alone + SLOWEST_COST : Math.min(alone + SLOWEST_COST, inRange);
  }

  private double cost(double rest) {
    double deviations = rest / noise;
    return Math.min(deviations * deviations / 2 + normalConstant, STRAY);
  }

  double cost() {
    double cost = 0;
    for (int run = 0; run < logs.length; run++) {
      cost += cost(run, deepest[run], sum[run]);
    }
    for (Suspect suspect : accused) {
      cost += price(suspect);
    }
    return cost;
  }

  /**
   * Cost of accusing a part: its prior, and half the logarithm of its number of runs for the
   * slowdown, a parameter that the runs determine (as in the Bayesian information criterion).
   */
  static double price(Suspect suspect) {
    return suspect.price() + 0.5 * Math.log(suspect.runs().length);
  }

  /**
   * The slowdown with which a part explains the rates best.
   *
   * @param depth the slowdown as a logarithm
   * @param gain reduction of the explanation's cost; negative if there is none
   */
  record Depth(double depth, double gain) {}

  /**
   * Finds the best slowdown of a part that is not accused. A gain of minus infinity means that its
   * runs are not slow enough.
   */
  Depth bestDepth(Suspect suspect) {
    int[] runs = suspect.runs();
    double shortfall = 0;
    for (int run : runs) {
      shortfall += Math.max(-noise, Math.min(1, -rest(run)));
    }
    if (shortfall < runs.length * LEAST_DEPTH / 4) {
      return new Depth(0, Double.NEGATIVE_INFINITY);
    }
    double[] slower = new double[runs.length];
    double before = 0;
    for (int i = 0; i < runs.length; i++) {
      slower[i] = -deviation(runs[i]);
      before += cost(runs[i], deepest[runs[i]], sum[runs[i]]);
    }
    Arrays.sort(slower);
    double best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < DEPTHS; i++) {
      double depth = slower[(int) ((i + 0.5) * runs.length / DEPTHS)];
      double cost = depth < LEAST_DEPTH ? Double.POSITIVE_INFINITY : cost(runs, depth);
      if (cost < least) {
        least = cost;
        best = depth;
      }
    }
    for (int round = 0; round < ROUNDS && least < Double.POSITIVE_INFINITY; round++) {
      double depth = Math.max(LEAST_DEPTH, refined(runs, best));
      double cost = cost(runs, depth);
      if (cost < least) {
        least = cost;
        best = depth;
      }
    }
    return new Depth(best, before - least - price(suspect));
  }

  private double cost(int[] runs, double depth) {
    double cost = 0;
    for (int run : runs) {
      cost += cost(run, Math.max(deepest[run], depth), sum[run] + depth);
    }
    return cost;
  }

  /** Mean slowdown of the runs that this part alone explains. */
  private double refined(int[] runs, double depth) {
    double total = 0;
    int n = 0;
    for (int run : runs) {
      if (sum[run] == 0 && cost(run, depth, depth) < STRAY) {
        total -= deviation(run);
        n++;
      }
    }
    return n == 0 ? depth : total / n;
  }

  void accuse(Suspect suspect, double depth) {
    accused.add(suspect);
    depths.add(depth);
    combine();
  }

  void acquit(int index) {
    accused.remove(index);
    depths.remove(index);
    combine();
  }

  private void combine() {
    Arrays.fill(deepest, 0);
    Arrays.fill(sum, 0);
    for (int i = 0; i < accused.size(); i++) {
      double depth = depths.get(i);
      for (int run : accused.get(i).runs()) {
        deepest[run] = Math.max(deepest[run], depth);
        sum[run] += depth;
      }
    }
  }

  /** Refits levels, slowdowns and noise for the accused parts. */
  void refit() {
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < accused.size(); i++) {
        Suspect suspect = accused.get(0);
        double old = depths.get(0);
        acquit(0);
        double depth = bestDepth(suspect).depth();
        accuse(suspect, depth > 0 ? depth : old);
      }
      refitLevels();
      refitNoise();
    }
  }

  /**
   * Shifts each level to the median of its runs without an accused part, strays left out. A level
   * without such runs keeps its value.
   */
  private void refitLevels() {
    for (int level = 0; level < levels.length; level++) {
      double[] rests = new double[logs.length];
      int n = 0;
      for (int run = 0; run < logs.length; run++) {
        if (levelOfRun[run] == level && sum[run] == 0 && !isStray(run)) {
          rests[n++] = logs[run] - levels[level];
        }
      }
      if (n > 0) {
        levels[level] += Quantiles.median(rests, 0, n);
      }
    }
  }

  /**
   * Refits the noise to the runs that are no strays: slow runs that have no explanation yet would
   * make it too large.
   */
  private void refitNoise() {
    double[] rests = new double[logs.length];
    int n = 0;
    for (int run = 0; run < logs.length; run++) {
      // A run with several slow parts is explained over a range: it shows no noise.
      if (deepest[run] == sum[run] && !isStray(run)) {
        rests[n++] = Math.abs(rest(run));
      }
    }
    if (n == 0) {
      return;
    }
    int degreesOfFreedom = Math.max(1, n - levels.length - accused.size());
    double least = n < FEW_RUNS ? NOISE_OF_FEW : LEAST_NOISE;
    double found =
        MAD_TO_DEVIATION
            * Quantiles.median(rests, 0, n)
            * Math.sqrt((double) n / degreesOfFreedom)
            * (1 + NOISE_MARGIN_OF_FEW / n);
    setNoise(Math.max(least, Math.min(MOST_NOISE, found)));
  }
}
