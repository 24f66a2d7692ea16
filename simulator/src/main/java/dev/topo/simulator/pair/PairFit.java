package dev.topo.simulator.pair;

import dev.topo.model.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Explanation of the rates of a matrix and its cost: the level of healthy runs, the noise, and the
 * slowdown of each accused part. All rates are logarithms.
 *
 * <p>A run is as slow as its slowest part, or slower where several are slow, up to all of them
 * together. The remainder is noise (normal, one deviation for all runs) or a stray run, anywhere in
 * a range of rates. Costs are minus the logarithm of the likelihood and of the priors, in nats; the
 * best explanation has the lowest. Mutable; used by one search.
 */
final class PairFit {
  /** Expected fraction of runs that nothing explains, anywhere in the range of rates. */
  private static final double STRAYS = 0.02;

  private static final double RANGE = 3;

  /** Cost of a run that is neither healthy nor explained. */
  static final double STRAY = Math.log(RANGE) - Math.log(STRAYS);

  /** Cost, in nats, of slow parts that add up in a run: one case in ten. */
  private static final double RARELY = -Math.log(0.1);

  private static final double MOSTLY = -Math.log(0.9);

  private static final double NORMAL = 0.5 * Math.log(2 * Math.PI);
  private static final double MAD_TO_DEVIATION = 1.4826;

  /** Least noise of healthy runs, as a logarithm: repeated runs of a pair do not agree better. */
  private static final double LEAST_NOISE = 0.005;

  /** Number of runs that is too small to show small noise. */
  private static final int FEW_RUNS = 15;

  private static final double NOISE_OF_FEW = 0.04;
  private static final double DOUBT_OF_FEW = 4;
  private static final double MOST_NOISE = 0.12;

  /** Least slowdown of an accused part, as a logarithm. */
  static final double LEAST_DEPTH = 0.03;

  private static final int DEPTHS = 12;
  private static final int ROUNDS = 2;

  private final double[] logs;
  private final int[] levelOfRun;
  private double[] levels;
  private double noise;
  private double normal;
  private final List<Suspect> accused = new ArrayList<>();
  private final List<Double> depths = new ArrayList<>();
  private double[] deepest;
  private double[] sum;

  PairFit(double[] logs, int[] levelOfRun, double[] levels, double noise) {
    this.logs = logs;
    this.levelOfRun = levelOfRun;
    this.levels = levels.clone();
    setNoise(noise);
    this.deepest = new double[logs.length];
    this.sum = new double[logs.length];
  }

  /** Copy for a trial. */
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
    normal = Math.log(deviation) + NORMAL;
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

  /** Remainder of a run that no accused part explains, as a logarithm: negative if it is slower. */
  double rest(int run) {
    return rest(run, deepest[run], sum[run]);
  }

  /** Rate of a run against its level, ignoring accusations. */
  double plain(int run) {
    return logs[run] - levels[levelOfRun[run]];
  }

  boolean isExplained(int run) {
    return sum[run] > 0;
  }

  /** True if a run is off by more than noise and nothing explains it. */
  boolean isStray(int run) {
    return cost(run, deepest[run], sum[run]) >= STRAY;
  }

  private double rest(int run, double least, double most) {
    double difference = logs[run] - levels[levelOfRun[run]];
    if (difference > -least) {
      return difference + least;
    }
    return Math.min(0, difference + most);
  }

  /**
   * Cost of a run: with several slow parts it is usually as slow as the slowest, otherwise anywhere
   * in a range.
   */
  private double cost(int run, double least, double most) {
    double rest = logs[run] - levels[levelOfRun[run]] + least;
    double alone = cost(rest);
    if (most <= least) {
      return alone;
    }
    double beyond = Math.min(0, rest + most - least) / noise;
    double inRange = beyond * beyond / 2 + Math.log(most - least + noise) + RARELY;
    return rest >= 0 ? alone + MOSTLY : Math.min(alone + MOSTLY, inRange);
  }

  private double cost(double rest) {
    double deviations = rest / noise;
    return Math.min(deviations * deviations / 2 + normal, STRAY);
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

  /** Cost of accusing a part, whose slowdown is a parameter that the runs determine. */
  static double price(Suspect suspect) {
    return suspect.price() + 0.5 * Math.log(suspect.runs().length);
  }

  /**
   * Slowdown with which a part explains most.
   *
   * @param depth the slowdown as a logarithm
   * @param gain reduction of the explanation's cost; negative if there is none
   */
  record Depth(double depth, double gain) {}

  /** Best slowdown of a part that is not accused. */
  Depth best(Suspect suspect) {
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
      slower[i] = levels[levelOfRun[runs[i]]] - logs[runs[i]];
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
        total += levels[levelOfRun[run]] - logs[run];
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
        double depth = best(suspect).depth();
        accuse(suspect, depth > 0 ? depth : old);
      }
      refitLevels();
      refitNoise();
    }
  }

  /**
   * Refits levels to the median of the runs without an accused part, or of all runs if there are
   * none.
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
   * Refits the noise to the explained runs only: many slow runs without an explanation yet would
   * hide it.
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
    int free = Math.max(1, n - levels.length - accused.size());
    double least = n < FEW_RUNS ? NOISE_OF_FEW : LEAST_NOISE;
    double found =
        MAD_TO_DEVIATION
            * Quantiles.median(rests, 0, n)
            * Math.sqrt((double) n / free)
            * (1 + DOUBT_OF_FEW / n);
    setNoise(Math.max(least, Math.min(MOST_NOISE, found)));
  }
}
