package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.model.Last;
import dev.topo.model.Quantiles;
import dev.topo.model.io.TextWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Ranks the causes that fit the measured times, together with an unknown cause. The unknown cause
 * has the weight of a slowdown by an arbitrary factor, but at least a share as large as the
 * fraction of the differences that the best known cause leaves unexplained, and of at least 1 -
 * {@link #MOST_KNOWN_SHARE}.
 */
final class CauseRanking {
  /** Least share of a cause that is shown. */
  private static final double LEAST_SHARE = 0.05;

  private static final double LIKELY = 0.6;

  /** Relative slowdown below which calls count as expected. */
  private static final double SLOWER = 0.15;

  /** Standard deviation of a time; smaller differences count as chance. */
  private static final double NOISE = Hypothesis.Effect.USUAL_NOISE;

  /**
   * Largest total share of the known causes: times alone prove none, as faults that are no
   * hypothesis may look like one. The value is an assumption.
   */
  private static final double MOST_KNOWN_SHARE = 0.8;

  /**
   * Median difference between the times out of place and in place, in logarithms, above which a
   * network counts as disturbed. On a quiet network half of the calls stay below it.
   */
  private static final double MOST_QUIET_UNEVENNESS = 0.08;

  /**
   * Limit of the evidence against all known causes, in nats: more would not change the ranking, and
   * the exponential stays finite.
   */
  private static final double MOST_EVIDENCE = 100;

  /** Limit of the unexplained fraction, for a finite weight. */
  private static final double MOST_UNEXPLAINED = 0.95;

  /** A second setting is named beside the best one if its log posterior is less than this below. */
  private static final double ALTERNATIVE_MARGIN = 3;

  private final List<MeasuredOperation> measurements;
  private final Fit expected;
  private final Map<Hypothesis, Fit> onHost = new HashMap<>();
  private final Fit healthy;
  private final Fit unknown;

  /**
   * Creates a ranking.
   *
   * @param fits fits of all hypotheses, the healthy job first and the unknown cause last
   * @param onHost the same fits if no call takes less time than the launches of the run's host;
   *     they rank the causes
   */
  CauseRanking(List<MeasuredOperation> measurements, List<Fit> fits, List<Fit> onHost) {
    this.measurements = List.copyOf(measurements);
    this.expected = fits.get(0);
    // Hypotheses without a fit on the host keep the fit without it.
    fits.forEach(fit -> this.onHost.put(fit.hypothesis(), fit));
    onHost.forEach(fit -> this.onHost.put(fit.hypothesis(), fit));
    this.healthy = onHost.get(0);
    this.unknown = Last.of(onHost);
  }

  private Fit onHost(Fit fit) {
    return Objects.requireNonNull(onHost.get(fit.hypothesis()));
  }

  /**
   * Ranks the causes, most likely first. Traffic of other jobs makes times uneven. If they are
   * even, congestion comes last and without a share; it is still possible, as an oversubscribed
   * network is as steady as a slow NIC.
   */
  List<Cause> causes(List<Fit> faults) {
    Predicate<Fit> isCongestion =
        fit -> fit.hypothesis().kind().equals(Optional.of(CauseKind.CONGESTION));
    List<Fit> congestion = faults.stream().filter(isCongestion).toList();
    List<Fit> others = faults.stream().filter(isCongestion.negate()).toList();
    if (congestion.isEmpty() || others.isEmpty() || isUneven(congestion.get(0))) {
      return ranked(faults);
    }
    List<Cause> causes = new ArrayList<>(ranked(others));
    Fit likeliest = best(congestion);
    causes.add(
        new Cause(
            CauseKind.CONGESTION,
            Certainty.POSSIBLE,
            likeliest.hypothesis().detail(),
            OptionalDouble.empty(),
            TimeEvidence.of(measurements, expected, likeliest),
            Confirmation.of(CauseKind.CONGESTION)));
    return causes;
  }

  /**
   * True if the calls that congestion slows down differ clearly between out of place and in place.
   */
  private boolean isUneven(Fit congestion) {
    double[] uneven =
        IntStream.range(0, healthy.timesUs().length)
            .filter(i -> congestion.isSlower(i, healthy, SLOWER))
            .mapToDouble(i -> Math.abs(healthy.unevenness()[i]))
            .toArray();
    return uneven.length > 0 && Quantiles.median(uneven) > MOST_QUIET_UNEVENNESS;
  }

  private List<Cause> ranked(List<Fit> faults) {
    Map<Hypothesis, Fit> withoutFloor = new HashMap<>();
    faults.forEach(fault -> withoutFloor.put(fault.hypothesis(), fault));
    List<Fit> fits = faults.stream().map(this::onHost).toList();
    Fit best = best(fits);
    Map<CauseKind, Double> weights = new LinkedHashMap<>();
    Map<CauseKind, Fit> bests = new LinkedHashMap<>();
    for (Fit fit : fits) {
      CauseKind kind = fit.hypothesis().kind().orElseThrow();
      weights.merge(kind, Math.exp(fit.logPosterior() - best.logPosterior()), Double::sum);
      bests.merge(kind, fit, (a, b) -> best(List.of(a, b)));
    }
    double knownWeight = weights.values().stream().mapToDouble(w -> w).sum();
    weights.put(CauseKind.UNKNOWN, unknownWeight(best, knownWeight));
    bests.put(CauseKind.UNKNOWN, best);
    double sum = weights.values().stream().mapToDouble(w -> w).sum();
    return weights.entrySet().stream()
        .filter(weight -> weight.getValue() >= LEAST_SHARE * sum)
        .sorted(Map.Entry.<CauseKind, Double>comparingByValue().reversed())
        .map(
            weight ->
                cause(
                    weight.getKey(),
                    Objects.requireNonNull(bests.get(weight.getKey())),
                    weight.getValue() / sum,
                    fits,
                    withoutFloor))
        .toList();
  }

  private static Fit best(List<Fit> fits) {
    return fits.stream().max(Comparator.comparingDouble(Fit::logPosterior)).orElseThrow();
  }

  /** Weight of the unknown cause, on a scale where the best known fit has the weight 1. */
  private double unknownWeight(Fit best, double knownWeight) {
    double anyFactorWeight =
        Math.exp(Math.min(MOST_EVIDENCE, unknown.logPosterior() - best.logPosterior()));
    double leastWeight = knownWeight * (1 - MOST_KNOWN_SHARE) / MOST_KNOWN_SHARE;
    double unexplained = Math.min(MOST_UNEXPLAINED, unexplainedFraction(best));
    return Math.max(
        leastWeight, Math.max(anyFactorWeight, knownWeight * unexplained / (1 - unexplained)));
  }

  /**
   * Fraction of the differences from the healthy times that a fault leaves unexplained, from 0 to
   * 1.
   */
  private double unexplainedFraction(Fit fault) {
    double total = 0;
    double remaining = 0;
    for (int i = 0; i < measurements.size(); i++) {
      total += isRelevant(fault, i) ? Math.abs(healthy.residuals()[i]) : 0;
      remaining += unexplained(fault, i);
    }
    return total > 0 ? Math.min(1, remaining / total) : 0;
  }

  /**
   * Difference of one call that a fault leaves unexplained: what exceeds the noise or, if the fault
   * does not slow the call down, the range of the prediction.
   */
  private double unexplained(Fit fault, int at) {
    if (!isRelevant(fault, at)) {
      return 0;
    }
    boolean isChanged = fault.isSlower(at, healthy, SLOWER);
    double allowed = isChanged ? NOISE : Math.max(NOISE, healthy.range(at));
    return Math.max(0, Math.abs(fault.residuals()[at]) - allowed);
  }

  /**
   * True if a call counts for or against a fault: the fault slows it down, or the measured time is
   * above the range of the healthy job.
   */
  private boolean isRelevant(Fit fault, int at) {
    return fault.isSlower(at, healthy, SLOWER)
        || healthy.residuals()[at] > Math.max(Math.log1p(SLOWER), healthy.range(at));
  }

  private Cause cause(
      CauseKind kind, Fit fit, double share, List<Fit> fits, Map<Hypothesis, Fit> withoutFloor) {
    return new Cause(
        kind,
        share >= LIKELY ? Certainty.LIKELY : Certainty.POSSIBLE,
        kind == CauseKind.UNKNOWN ? unknownDetail(fit) : detail(kind, fit, fits),
        OptionalDouble.of(share),
        kind == CauseKind.UNKNOWN
            ? List.of()
            : TimeEvidence.of(
                measurements, expected, Objects.requireNonNull(withoutFloor.get(fit.hypothesis()))),
        Confirmation.of(kind));
  }

  private String unknownDetail(Fit best) {
    return TextWriter.format(
        "the nearest known one (%s) leaves %.0f %% unexplained",
        best.hypothesis().detail(), 100 * unexplainedFraction(best));
  }

  /**
   * Describes the best fit of a kind; for buffer settings, also another setting that fits about as
   * well.
   */
  private static String detail(CauseKind kind, Fit best, List<Fit> fits) {
    if (kind != CauseKind.BUFFERS) {
      return best.hypothesis().detail();
    }
    return fits.stream()
        .filter(fit -> fit.hypothesis().kind().equals(Optional.of(kind)))
        .filter(fit -> fit.logPosterior() > best.logPosterior() - ALTERNATIVE_MARGIN)
        .filter(fit -> !setting(fit).equals(setting(best)))
        .max(Comparator.comparingDouble(Fit::logPosterior))
        .map(other -> best.hypothesis().detail() + ", or " + other.hypothesis().detail())
        .orElse(best.hypothesis().detail());
  }

  private static String setting(Fit fit) {
    return fit.hypothesis().detail().replaceFirst("=.*|copies.*", "");
  }
}
