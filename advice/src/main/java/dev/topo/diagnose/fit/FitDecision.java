package dev.topo.diagnose.fit;

import dev.topo.diagnose.cause.Cause;
import dev.topo.diagnose.cause.CauseKind;
import dev.topo.diagnose.cause.Certainty;
import dev.topo.diagnose.cause.Confirmation;
import dev.topo.measured.Measurement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * What fits say of measurements.
 *
 * @param causes the causes that fit, the most likely first; none if the job as it should be fits
 * @param isSlower whether the measurements are slower than the job as it should be, beyond its
 *     range
 * @param slowdown how many times longer the measurements took, at the sizes that are slower
 * @param median how much longer half of the measurements took than predicted, as a part
 * @param summary why, in a sentence
 */
public record FitDecision(
    List<Cause> causes, boolean isSlower, double slowdown, double median, String summary) {
  /**
   * A fault has to be so many times as likely as the healthy job, in logarithms: healthy runs of
   * clusters that no calibration has seen differ from it in shape, too.
   */
  private static final double MARGIN = 4;

  /** Causes with a smaller part of the probability are not shown. */
  private static final double LEAST_SHARE = 0.05;

  /** Standard deviations to the end of a range, which 90 of 100 times are within. */
  private static final double SIGMAS = 1.645;

  /** One in so many calls may be slower than its range by chance. */
  private static final int FEW = 10;

  /** Half the calls of a quiet network differ by less, out of place and in place. */
  private static final double UNEVEN = 0.08;

  /** The part of the differences that a cause leaves unexplained at most. */
  private static final double LEFT = 0.65;

  /** Half the times that it makes slower are within this factor of the measured ones. */
  private static final double NEAR = 1.8;

  /** Calls that wait for launches take the same time, whatever their size. */
  private static final double NEAR_FLOOR = 1.25;

  private static final double LIKELY = 0.6;

  /** What is slower by less is as expected. */
  private static final double SLOWER = 0.15;

  /** So many standard deviations beyond the prediction nothing known explains. */
  private static final double BEYOND = 3.3;

  /** Healthy nodes differ by less than this factor. */
  private static final double SLOWEST_NODE = 1.3;

  public FitDecision {
    causes = List.copyOf(causes);
  }

  /** Whether nothing speaks against the job as it should be. */
  public boolean isAsExpected() {
    return causes.isEmpty() && !isSlower && slowdown > 0;
  }

  /**
   * Decides.
   *
   * @param fits those of {@link JobFit#fits}
   * @param isBelowLinks whether they are below what every healthy run gets of the links
   * @param isNetwork whether the job has several nodes
   */
  public static FitDecision of(
      List<Fit> fits, List<Measurement> measurements, boolean isBelowLinks, boolean isNetwork) {
    if (fits.isEmpty()) {
      return new FitDecision(
          List.of(),
          false,
          0,
          0,
          "NCCL would not run these calls on this machine, or no times are known");
    }
    Fit healthy = fits.get(0);
    double slowdown = slowdown(healthy);
    double median = median(healthy);
    List<Fit> faults =
        fits.stream()
            .filter(one -> one.logPosterior() - healthy.logPosterior() > MARGIN)
            .filter(one -> explains(healthy, one))
            .filter(one -> isOutside(healthy))
            .toList();
    if (!faults.isEmpty()) {
      List<Cause> causes = ranked(faults, measurements, healthy);
      return new FitDecision(
          causes,
          true,
          slowdown,
          median,
          String.format(Locale.ROOT, "up to %.1f times as long as expected", slowdown));
    }
    boolean isBeyond = isBelowLinks || !isNetwork && isBeyond(healthy);
    return new FitDecision(
        List.of(),
        isBeyond,
        slowdown,
        median,
        isBeyond
            ? String.format(Locale.ROOT, "up to %.1f times as long as expected", slowdown)
            : String.format(
                Locale.ROOT,
                "%d sizes, the median %s than predicted, within the range of predictions",
                measurements.size(),
                percent(median)));
  }

  private static double median(Fit healthy) {
    double[] sorted = healthy.residuals().clone();
    Arrays.sort(sorted);
    return Math.expm1(sorted[sorted.length / 2]);
  }

  private static String percent(double part) {
    return String.format(
        Locale.ROOT, "%.0f %% %s", 100 * Math.abs(part), part < 0 ? "faster" : "slower");
  }

  private static double slowdown(Fit healthy) {
    return Math.exp(Arrays.stream(healthy.residuals()).max().orElse(0));
  }

  /**
   * Whether most calls that the fault makes slower are slower, and it comes near the times of these
   * and of all that are slower: a fault that is as far from them as the healthy job, on the other
   * side, is none.
   */
  private static boolean explains(Fit healthy, Fit fault) {
    int slower = 0;
    int affected = 0;
    double before = 0;
    double after = 0;
    List<Double> off = new ArrayList<>();
    for (int i = 0; i < healthy.residuals().length; i++) {
      boolean isSlower = healthy.residuals()[i] > Math.log1p(SLOWER);
      boolean isAffected = Math.log(fault.timesUs()[i] / healthy.timesUs()[i]) > Math.log1p(SLOWER);
      slower += isAffected && isSlower ? 1 : 0;
      affected += isAffected ? 1 : 0;
      if (isAffected || isSlower) {
        before += Math.abs(healthy.residuals()[i]);
        after += Math.abs(fault.residuals()[i]);
        off.add(Math.abs(fault.residuals()[i]));
      }
    }
    Collections.sort(off);
    return slower > 0
        && 2 * slower >= affected
        && after < LEFT * before
        && off.get(off.size() / 2)
            < Math.log(fault.hypothesis().effect().floorUs() > 0 ? NEAR_FLOOR : NEAR);
  }

  /** Whether some calls, two at least, are slower than the range of their prediction. */
  private static boolean isOutside(Fit healthy) {
    int n = healthy.residuals().length;
    int outside = 0;
    for (int i = 0; i < n; i++) {
      outside += healthy.residuals()[i] > SIGMAS * healthy.spreads()[i] ? 1 : 0;
    }
    return outside >= Math.min(n, Math.max(2, n / FEW));
  }

  /** Whether a quarter of the calls, two at least, are slower than any range allows. */
  private static boolean isBeyond(Fit healthy) {
    int beyond = 0;
    int n = healthy.residuals().length;
    for (int i = 0; i < n; i++) {
      double residual = healthy.residuals()[i];
      beyond += residual > Math.max(BEYOND * healthy.spreads()[i], Math.log(SLOWEST_NODE)) ? 1 : 0;
    }
    return beyond >= Math.max(Math.min(2, n), n / 4);
  }

  /**
   * The causes, the most likely first. Other traffic makes times uneven: where they are even, it
   * comes after the others, though an oversubscribed network is as steady as a slow NIC.
   */
  private static List<Cause> ranked(List<Fit> faults, List<Measurement> measurements, Fit healthy) {
    Predicate<Fit> isBusy =
        one -> one.hypothesis().kind().equals(Optional.of(CauseKind.CONGESTION));
    List<Fit> busy = faults.stream().filter(isBusy).toList();
    List<Fit> others = faults.stream().filter(isBusy.negate()).toList();
    if (busy.isEmpty() || others.isEmpty() || isUneven(healthy, busy.get(0))) {
      return causes(faults, measurements, healthy);
    }
    List<Cause> causes = new ArrayList<>(causes(others, measurements, healthy));
    for (Cause last : causes(busy, measurements, healthy)) {
      causes.add(
          new Cause(
              last.kind(),
              Certainty.POSSIBLE,
              last.detail(),
              OptionalDouble.empty(),
              last.evidence(),
              last.confirm()));
    }
    return causes;
  }

  /** Whether calls that wait for the network differ between out of place and in place. */
  private static boolean isUneven(Fit healthy, Fit busy) {
    double[] uneven =
        IntStream.range(0, healthy.timesUs().length)
            .filter(i -> busy.timesUs()[i] > healthy.timesUs()[i] * (1 + SLOWER))
            .mapToDouble(i -> Math.abs(healthy.unevenness()[i]))
            .sorted()
            .toArray();
    return uneven.length > 0 && uneven[uneven.length / 2] > UNEVEN;
  }

  private static List<Cause> causes(List<Fit> fits, List<Measurement> measurements, Fit healthy) {
    double most = fits.stream().mapToDouble(Fit::logPosterior).max().orElseThrow();
    double sum = fits.stream().mapToDouble(one -> Math.exp(one.logPosterior() - most)).sum();
    Map<CauseKind, Double> shares = new LinkedHashMap<>();
    Map<CauseKind, Fit> bests = new LinkedHashMap<>();
    for (Fit one : fits) {
      one.hypothesis()
          .kind()
          .ifPresent(
              kind -> {
                shares.merge(kind, Math.exp(one.logPosterior() - most) / sum, Double::sum);
                bests.merge(kind, one, (a, b) -> a.logPosterior() >= b.logPosterior() ? a : b);
              });
    }
    List<Cause> causes = new ArrayList<>();
    shares.entrySet().stream()
        .filter(share -> share.getValue() >= LEAST_SHARE)
        .sorted(Map.Entry.<CauseKind, Double>comparingByValue().reversed())
        .forEach(
            share -> {
              Fit fit = Objects.requireNonNull(bests.get(share.getKey()));
              causes.add(
                  new Cause(
                      share.getKey(),
                      share.getValue() >= LIKELY ? Certainty.LIKELY : Certainty.POSSIBLE,
                      fit.hypothesis().detail(),
                      OptionalDouble.of(share.getValue()),
                      TimeEvidence.of(measurements, healthy, fit),
                      Confirmation.of(share.getKey())));
            });
    return causes;
  }
}
