package dev.topo.simulator.diagnosis;

import dev.topo.model.Quantiles;
import dev.topo.model.io.TextWriter;
import java.util.ArrayList;
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
 * Ranks the causes that fit measured times, including an unknown cause: that one is as likely as
 * times that are slower by any factor, and at least as likely as the best known cause times the
 * fraction of the differences that it leaves unexplained.
 */
final class CauseRanking {
  /** Least probability of a cause that is shown. */
  private static final double LEAST_SHARE = 0.05;

  private static final double LIKELY = 0.6;

  /** Relative slowdown below which calls count as expected. */
  private static final double SLOWER = 0.15;

  /** Standard deviation of a time; smaller differences count as chance. */
  private static final double NOISE = Hypothesis.Effect.USUAL_NOISE;

  /** Largest median error of a cause that explains times to within the noise. */
  private static final double WITHIN_NOISE = 1.25 * NOISE;

  /** Largest confidence of a cause whose error exceeds the noise. */
  private static final double MOST = 0.99;

  /**
   * Difference between out of place and in place that half the calls of a quiet network stay below.
   */
  private static final double UNEVEN = 0.08;

  /**
   * Largest evidence against all known causes, in nats; more changes nothing, and its exponential
   * is finite.
   */
  private static final double MOST_EVIDENCE = 100;

  /** Settings of one kind whose log-likelihoods differ by less are all named. */
  private static final double AS_WELL = 3;

  private final List<TimedCall> measurements;
  private final Fit expected;
  private final Map<Hypothesis, Fit> onHost = new HashMap<>();
  private final Fit healthy;
  private final Fit unknown;

  /**
   * Ranking of fits.
   *
   * @param fits fits of all hypotheses, the healthy job first and the unknown cause last
   * @param onHost the same for a host that may launch slowly; these rank the causes
   */
  CauseRanking(List<TimedCall> measurements, List<Fit> fits, List<Fit> onHost) {
    this.measurements = List.copyOf(measurements);
    this.expected = fits.get(0);
    fits.forEach(fit -> this.onHost.put(fit.hypothesis(), fit));
    onHost.forEach(fit -> this.onHost.put(fit.hypothesis(), fit));
    this.healthy = onHost.get(0);
    this.unknown = onHost.get(onHost.size() - 1);
  }

  private Fit onHost(Fit fit) {
    return Objects.requireNonNull(onHost.get(fit.hypothesis()));
  }

  /**
   * Causes, most likely first. Other traffic makes times uneven: if they are even, it is ranked
   * after the others, though an oversubscribed network is as steady as a slow NIC.
   */
  List<Cause> causes(List<Fit> faults) {
    Predicate<Fit> isBusy =
        fit -> fit.hypothesis().kind().equals(Optional.of(CauseKind.CONGESTION));
    List<Fit> busy = faults.stream().filter(isBusy).toList();
    List<Fit> others = faults.stream().filter(isBusy.negate()).toList();
    if (busy.isEmpty() || others.isEmpty() || isUneven(busy.get(0))) {
      return ranked(faults);
    }
    List<Cause> causes = new ArrayList<>(ranked(others));
    Fit last = best(busy);
    causes.add(
        new Cause(
            CauseKind.CONGESTION,
            Certainty.POSSIBLE,
            last.hypothesis().detail(),
            OptionalDouble.empty(),
            TimeEvidence.of(measurements, expected, last),
            Confirmation.of(CauseKind.CONGESTION)));
    return causes;
  }

  /** True if calls that wait for the network differ between out of place and in place. */
  private boolean isUneven(Fit busy) {
    double[] uneven =
        IntStream.range(0, healthy.timesUs().length)
            .filter(i -> busy.isSlower(i, healthy, SLOWER))
            .mapToDouble(i -> Math.abs(healthy.unevenness()[i]))
            .toArray();
    return uneven.length > 0 && Quantiles.median(uneven) > UNEVEN;
  }

  private List<Cause> ranked(List<Fit> faults) {
    Map<Hypothesis, Fit> plain = new HashMap<>();
    faults.forEach(fault -> plain.put(fault.hypothesis(), fault));
    List<Fit> fits = faults.stream().map(this::onHost).toList();
    Fit best = best(fits);
    Map<CauseKind, Double> weights = new LinkedHashMap<>();
    Map<CauseKind, Fit> bests = new LinkedHashMap<>();
    for (Fit fit : fits) {
      CauseKind kind = fit.hypothesis().kind().orElseThrow();
      weights.merge(kind, Math.exp(fit.logPosterior() - best.logPosterior()), Double::sum);
      bests.merge(kind, fit, (a, b) -> best(List.of(a, b)));
    }
    double known = weights.values().stream().mapToDouble(w -> w).sum();
    weights.put(CauseKind.UNKNOWN, unknownWeight(best, known));
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
                    plain))
        .toList();
  }

  private static Fit best(List<Fit> fits) {
    Fit best = fits.get(0);
    for (Fit fit : fits) {
      best = fit.logPosterior() > best.logPosterior() ? fit : best;
    }
    return best;
  }

  /** Weight of an unknown cause against all known ones, of which the best has a weight of 1. */
  private double unknownWeight(Fit best, double known) {
    double anyFactor =
        Math.exp(Math.min(MOST_EVIDENCE, unknown.logPosterior() - best.logPosterior()));
    boolean isWithinNoise = median(off(best)) <= WITHIN_NOISE;
    double least = isWithinNoise ? 0 : known * (1 - MOST) / MOST;
    return Math.max(least, Math.max(anyFactor, known * left(best)));
  }

  /** Fraction of the relevant time differences that a fault leaves unexplained. */
  private double left(Fit fault) {
    double total = 0;
    double remaining = 0;
    for (int i = 0; i < measurements.size(); i++) {
      total += counts(fault, i) ? Math.abs(healthy.residuals()[i]) : 0;
      remaining += unexplained(fault, i);
    }
    return total > 0 ? Math.min(1, remaining / total) : 0;
  }

  /**
   * Difference of one call that a fault leaves unexplained, beyond noise; where it changes nothing
   * and the run is slower, beyond the range of the prediction.
   */
  private double unexplained(Fit fault, int at) {
    if (!counts(fault, at)) {
      return 0;
    }
    boolean isChanged = fault.isSlower(at, healthy, SLOWER);
    double allowed = isChanged ? NOISE : Math.max(NOISE, healthy.range(at));
    return Math.max(0, Math.abs(fault.residuals()[at]) - allowed);
  }

  /**
   * True if a call is relevant for a fault: the fault slows it down, or it is slower than its
   * range.
   */
  private boolean counts(Fit fault, int at) {
    return fault.isSlower(at, healthy, SLOWER)
        || healthy.residuals()[at] > Math.max(Math.log1p(SLOWER), healthy.range(at));
  }

  /** Distances of a fault from each relevant time, as logarithms. */
  private double[] off(Fit fault) {
    return IntStream.range(0, measurements.size())
        .filter(i -> counts(fault, i))
        .mapToDouble(i -> Math.abs(fault.residuals()[i]))
        .toArray();
  }

  private static double median(double[] values) {
    return values.length == 0 ? 0 : Quantiles.median(values);
  }

  private Cause cause(
      CauseKind kind, Fit fit, double share, List<Fit> fits, Map<Hypothesis, Fit> plain) {
    return new Cause(
        kind,
        share >= LIKELY ? Certainty.LIKELY : Certainty.POSSIBLE,
        kind == CauseKind.UNKNOWN ? nearest(fit) : detail(kind, fit, fits),
        OptionalDouble.of(share),
        kind == CauseKind.UNKNOWN
            ? List.of()
            : TimeEvidence.of(
                measurements, expected, Objects.requireNonNull(plain.get(fit.hypothesis()))),
        Confirmation.of(kind));
  }

  private String nearest(Fit best) {
    return TextWriter.format(
        "the nearest known one (%s) leaves %.0f %% of the differences unexplained",
        best.hypothesis().detail(), 100 * left(best));
  }

  /** Best case of a kind; for settings also another that fits as well. */
  private static String detail(CauseKind kind, Fit best, List<Fit> fits) {
    if (kind != CauseKind.BUFFERS) {
      return best.hypothesis().detail();
    }
    return fits.stream()
        .filter(fit -> fit.hypothesis().kind().equals(Optional.of(kind)))
        .filter(fit -> fit.logPosterior() > best.logPosterior() - AS_WELL)
        .filter(fit -> !setting(fit).equals(setting(best)))
        .max((a, b) -> Double.compare(a.logPosterior(), b.logPosterior()))
        .map(other -> best.hypothesis().detail() + ", or " + other.hypothesis().detail())
        .orElse(best.hypothesis().detail());
  }

  private static String setting(Fit fit) {
    return fit.hypothesis().detail().replaceFirst("=.*|copies.*", "");
  }
}
