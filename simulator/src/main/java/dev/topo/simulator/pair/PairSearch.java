package dev.topo.simulator.pair;

import dev.topo.model.Quantiles;
import dev.topo.simulator.pair.PairCause.Kind;
import dev.topo.simulator.pair.PairFit.Depth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Searches for the cheapest explanation of a matrix. Starting from several guesses of the healthy
 * level, it repeatedly accuses the part that explains most, and drops or replaces parts that others
 * make superfluous. Deterministic; an approximation, as the problem is a weighted set cover.
 */
final class PairSearch {
  /**
   * Fraction of the runs of a level that each guess takes as healthy: those with the closest rates.
   */
  private static final double[] SHARES = {0.5, 0.3, 0.12};

  /**
   * Width of the central interval that contains this fraction of a normal distribution, in standard
   * deviations.
   */
  private static final double[] SHARE_WIDTHS = {1.349, 0.771, 0.302};

  private static final double LEAST_NOISE = 0.005;
  private static final double MOST_NOISE = 0.06;
  private static final int MOST_ACCUSED = 64;

  private static final double LEAST_SAVING = 1e-6;

  /** Largest number of parts that may be accused in place of a part that is left out. */
  private static final int MOST_REPLACEMENTS = 3;

  /**
   * Factor by which the variance between parts must exceed that of chance to count as a spread of
   * healthy parts.
   */
  private static final double SPREAD_BY_CHANCE = 1.6;

  private static final double MAD_TO_DEVIATION = 1.4826;

  private final PairMatrix matrix;
  private final double[] logs;
  private final int[] levelOfRun;
  private final List<Suspect> suspects;

  PairSearch(PairMatrix matrix, PairRoutes routes) {
    this.matrix = matrix;
    this.logs = matrix.logs();
    this.levelOfRun = matrix.levelOfRun();
    this.suspects = new ArrayList<>(SuspectList.of(matrix, routes));
  }

  /** Finds the cheapest explanation. */
  PairFit run() {
    PairFit best =
        IntStream.range(0, SHARES.length)
            .mapToObj(this::improved)
            .min(Comparator.comparingDouble(PairFit::cost))
            .orElseThrow();
    dropOrdinary(best);
    replace(best);
    return best;
  }

  /** Replaces parts: leaves each out in turn and keeps a cheaper explanation. */
  private void replace(PairFit fit) {
    for (int i = 0; i < fit.accused().size() && i < MOST_ACCUSED; i++) {
      PairFit alternative = without(fit, i);
      if (alternative.cost() < fit.cost() - LEAST_SAVING) {
        improve(alternative);
        dropOrdinary(alternative);
        if (alternative.cost() < fit.cost() - LEAST_SAVING) {
          fit.take(alternative);
        }
      }
    }
  }

  /** Cost of the best explanation without a part minus the cost with it, in nats. */
  double evidence(PairFit fit, int index) {
    return without(fit, index).cost() - fit.cost();
  }

  private PairFit without(PairFit fit, int index) {
    Suspect suspect = fit.accused().get(index);
    PairFit other = fit.copy();
    other.acquit(index);
    other.refit();
    List<Suspect> others = new ArrayList<>(suspects);
    others.addAll(groups(other));
    others.removeIf(suspect::equals);
    for (int more = 0; more < MOST_REPLACEMENTS && accuseOne(other, others); more++) {}
    return other;
  }

  private PairFit improved(int guess) {
    PairFit fit = guess(guess);
    improve(fit);
    return fit;
  }

  private PairFit guess(int guess) {
    int nLevels = matrix.levels().size();
    double[] levels = new double[nLevels];
    double noise = 0;
    for (int level = 0; level < nLevels; level++) {
      int l = level;
      double[] sorted =
          IntStream.range(0, logs.length)
              .filter(run -> levelOfRun[run] == l)
              .mapToDouble(run -> logs[run])
              .sorted()
              .toArray();
      boolean isAmongFastest = guess == SHARES.length - 1;
      int count = Math.max(isAmongFastest ? 1 : 2, (int) Math.ceil(SHARES[guess] * sorted.length));
      int from = isAmongFastest ? sorted.length / 2 : 0;
      double width = Double.POSITIVE_INFINITY;
      levels[level] = sorted[sorted.length - 1];
      for (int i = from; i + count <= sorted.length; i++) {
        if (sorted[i + count - 1] - sorted[i] <= width) {
          width = sorted[i + count - 1] - sorted[i];
          levels[level] = Quantiles.median(sorted, i, i + count);
        }
      }
      if (width < Double.POSITIVE_INFINITY) {
        noise += width / SHARE_WIDTHS[guess] * sorted.length / logs.length;
      }
    }
    return new PairFit(
        logs, levelOfRun, levels, Math.max(LEAST_NOISE, Math.min(MOST_NOISE, noise)));
  }

  private void improve(PairFit fit) {
    fit.refit();
    boolean isBetter = true;
    while (isBetter && fit.accused().size() < MOST_ACCUSED) {
      isBetter = accuseOne(fit, suspects);
      if (!isBetter) {
        isBetter = accuseOne(fit, groups(fit)) | acquitOne(fit);
      }
    }
  }

  private static boolean accuseOne(PairFit fit, List<Suspect> suspects) {
    Suspect best = null;
    Depth most = new Depth(0, 0);
    for (Suspect suspect : suspects) {
      if (!fit.accused().contains(suspect)) {
        Depth depth = fit.bestDepth(suspect);
        if (depth.gain() > most.gain()) {
          most = depth;
          best = suspect;
        }
      }
    }
    if (best == null) {
      return false;
    }
    double before = fit.cost();
    PairFit tried = fit.copy();
    tried.accuse(best, most.depth());
    tried.refit();
    if (tried.cost() >= before) {
      return false;
    }
    fit.take(tried);
    return true;
  }

  /** Removes a part if the rest explains as much, alone or with another part. */
  private boolean acquitOne(PairFit fit) {
    double before = fit.cost();
    for (int i = 0; i < fit.accused().size(); i++) {
      Suspect suspect = fit.accused().get(i);
      PairFit without = fit.copy();
      without.acquit(i);
      without.refit();
      if (without.cost() >= before) {
        List<Suspect> others = new ArrayList<>(suspects);
        others.remove(suspect);
        accuseOne(without, others);
      }
      if (without.cost() < before - LEAST_SAVING) {
        fit.take(without);
        return true;
      }
    }
    return false;
  }

  /** Groups of hosts that may be behind a switch of their own; empty if a switch map is given. */
  private List<Suspect> groups(PairFit fit) {
    return suspects.stream().anyMatch(suspect -> suspect.kind() == Kind.UPLINK)
        ? List.of()
        : new HostGroups(matrix, fit).suspects();
  }

  /**
   * Drops accused parts that are ordinary. Healthy parts differ a little, too, and with many runs
   * even that is significant; an accused part must deviate by more than the others of its kind do.
   */
  private void dropOrdinary(PairFit fit) {
    for (int i = fit.accused().size() - 1; i >= 0; i--) {
      Suspect suspect = fit.accused().get(i);
      double spread = spread(fit, suspect.kind());
      double deviations =
          fit.depth(i)
              / Math.sqrt(fit.noise() * fit.noise() / suspect.runs().length + spread * spread);
      if (deviations * deviations / 2 < PairFit.price(suspect)) {
        fit.acquit(i);
        fit.refit();
      }
    }
  }

  private double spread(PairFit fit, Kind kind) {
    List<Suspect> unaccused =
        suspects.stream().filter(s -> s.kind() == kind && !fit.accused().contains(s)).toList();
    if (unaccused.size() < 5) {
      return 0;
    }
    double[] means = new double[unaccused.size()];
    double byChance = 0;
    for (int i = 0; i < means.length; i++) {
      double[] rests =
          Arrays.stream(unaccused.get(i).runs())
              .filter(run -> !fit.isExplained(run) && !fit.isStray(run))
              .mapToDouble(fit::rest)
              .toArray();
      means[i] = Math.abs(Arrays.stream(rests).average().orElse(0));
      byChance += fit.noise() * fit.noise() / Math.max(1, rests.length) / means.length;
    }
    double found = Math.pow(MAD_TO_DEVIATION * Quantiles.median(means), 2);
    return found > SPREAD_BY_CHANCE * byChance ? Math.sqrt(found - byChance) : 0;
  }
}
