package dev.topo.simulator.calibration;

import dev.topo.simulator.calibration.TimedCall.MeasuredCall;
import dev.topo.simulator.calibration.TimedCall.Parts;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.jspecify.annotations.Nullable;

/**
 * Times that a user measured on the own machine, and what they tell of other calls. The logarithms
 * of measured by predicted time are a Gaussian process over calls: the launch, the latency and the
 * transfer of all collectives err by common factors, weighted by their parts of each time, and each
 * operation errs by a factor of its own that varies slowly with the size. Sends and receives share
 * nothing with collectives. Half of the variance of an operation's own factor ends where NCCL
 * changes algorithm or protocol. Immutable; the matrix is inverted at first use.
 *
 * <p>The widths of the prior are rounded ones of 65 runs of 43 published clusters and machines: how
 * far their errors differ (docs/accuracy.md). They are no constants of a machine.
 */
public final class OwnTimes {
  /**
   * Widths of the prior: standard deviations of the logarithms of common factors.
   *
   * @param latency of the start of kernels and of steps
   * @param transfer of the rate at which data moves
   */
  private record Prior(double latency, double transfer) {
    /** Machines on PCIe, whose fabric the model hardly knows. */
    static final Prior PCI = new Prior(0.4, 1);

    static final Prior OTHER = new Prior(0.25, 0.1);
  }

  private static final double LAUNCH = 0.2;

  /** Width of an operation's own factor. */
  private static final double OPERATION = 0.2;

  /** The same for its transfers. */
  private static final double OPERATION_TRANSFER = 0.35;

  /** Doublings of the size over which an operation's own factor changes. */
  private static final double DOUBLINGS = 40;

  /** Part of the variance of an operation's own factor that other algorithms share. */
  private static final double OTHER_LAUNCH = 0.5;

  /** Doublings of the number of ranks over which errors change. */
  private static final double RANK_DOUBLINGS = 1.5;

  /** Standard deviation of repeated times. */
  private static final double NOISE = 0.02;

  /** Weight of the prior's width against that of the times, in times. */
  private static final double PRIOR_TIMES = 4;

  /** Standard deviations within which 90 of 100 times of left-out sizes lie (docs/accuracy.md). */
  private static final double RANGE = 2.5;

  /** Part of a variance that is left where the times tell of a call. */
  private static final double INFORMED = 0.5;

  /** Deviations from which on a time contradicts all others. */
  private static final double OUTLIER = 3;

  private final String machine;
  private final List<MeasuredCall> calls;
  private @Nullable Solved solved;

  /**
   * Times of a machine.
   *
   * @param machine kind of the machine, as in {@code sm 90, NVSwitch}
   */
  public OwnTimes(String machine, List<MeasuredCall> calls) {
    this.machine = machine;
    this.calls = List.copyOf(calls);
  }

  /** Kind of the machine. */
  public String machine() {
    return machine;
  }

  public List<MeasuredCall> calls() {
    return calls;
  }

  /**
   * What measured times tell of a call.
   *
   * @param factor factor on its predicted time
   * @param part relative error that 90 of 100 such times do not exceed
   * @param contrast by how much the measured times differ from predicted ones, relative to what
   *     other machines do; at least 1
   * @param isInformed whether the times tell more of it than that this machine is one of all
   */
  public record Correction(double factor, double part, double contrast, boolean isInformed) {}

  /**
   * How well the other times predict a measured one.
   *
   * @param before relative error of the prediction without measurements
   * @param after relative error of the prediction by all other measured times
   * @param isOutlier whether it contradicts them
   */
  public record LeftOut(MeasuredCall call, double before, double after, boolean isOutlier) {}

  private record Solved(DMatrixRMaj inverse, DMatrixRMaj weights, double scale) {
    static Solved of(OwnTimes times) {
      int n = times.calls.size();
      DMatrixRMaj covariance = new DMatrixRMaj(n, n);
      DMatrixRMaj errors = new DMatrixRMaj(n, 1);
      for (int a = 0; a < n; a++) {
        errors.set(a, 0, times.calls.get(a).error());
        for (int b = 0; b <= a; b++) {
          double shared = times.covariance(times.calls.get(a).call(), times.calls.get(b).call());
          covariance.set(a, b, shared);
          covariance.set(b, a, shared);
        }
        covariance.add(a, a, NOISE * NOISE);
      }
      DMatrixRMaj inverse = covariance.createLike();
      CommonOps_DDRM.invertSPD(covariance, inverse);
      DMatrixRMaj weights = CommonOps_DDRM.mult(inverse, errors, null);
      double misfit = CommonOps_DDRM.dot(errors, weights);
      return new Solved(inverse, weights, Math.sqrt((PRIOR_TIMES + misfit) / (PRIOR_TIMES + n)));
    }

    /** The most likely factor of what shares these covariances with the times. */
    double factor(DMatrixRMaj shared) {
      return Math.exp(CommonOps_DDRM.dot(shared, weights));
    }

    /** The part of a variance that is left once the times are known. */
    double left(double variance, DMatrixRMaj shared) {
      double known = CommonOps_DDRM.dot(shared, CommonOps_DDRM.mult(inverse, shared, null));
      return Math.max(0, variance - known);
    }

    /** The relative error that 90 of 100 factors with a variance do not exceed. */
    double part(double variance) {
      return Math.expm1(RANGE * scale * Math.sqrt(variance));
    }
  }

  private Solved solved() {
    if (solved == null) {
      solved = Solved.of(this);
    }
    return solved;
  }

  private double covariance(TimedCall a, TimedCall b) {
    boolean isBetween = a.nodes() > 1;
    if (a.isOfPeers() != b.isOfPeers() || isBetween != b.nodes() > 1) {
      return 0;
    }
    Prior prior = prior(a);
    double transfer = a.parts().transfer() * b.parts().transfer();
    double shared =
        square(LAUNCH) * a.parts().launch() * b.parts().launch()
            + square(prior.latency) * a.parts().latency() * b.parts().latency()
            + square(prior.transfer) * transfer;
    if (a.operation().equals(b.operation())) {
      double alike = a.launch().equals(b.launch()) ? 1 : OTHER_LAUNCH;
      shared +=
          square(OPERATION_TRANSFER) * transfer
              + square(OPERATION) * alike * decay(a.bytes(), b.bytes(), DOUBLINGS);
    }
    return shared * decay(a.ranks(), b.ranks(), RANK_DOUBLINGS);
  }

  private Prior prior(TimedCall call) {
    return machine.endsWith("PCI") && call.nodes() == 1 ? Prior.PCI : Prior.OTHER;
  }

  private static double square(double number) {
    return number * number;
  }

  private static double decay(double a, double b, double doublings) {
    return Math.exp(-Math.abs(Math.log(a / b)) / Math.log(2) / doublings);
  }

  /** What the times tell of a call. */
  public Correction of(TimedCall call) {
    DMatrixRMaj shared = shared(call);
    Solved all = solved();
    double variance = variance(call, shared);
    return new Correction(
        all.factor(shared),
        all.part(variance),
        Math.max(1, all.scale),
        variance < INFORMED * covariance(call, call));
  }

  /**
   * Relative error of a call that 90 of 100 machines like all others do not exceed, once such times
   * are measured on them.
   */
  public double expectedPart(TimedCall call) {
    double variance =
        calls.isEmpty() ? covariance(call, call) + NOISE * NOISE : variance(call, shared(call));
    return Math.expm1(RANGE * Math.sqrt(variance));
  }

  private DMatrixRMaj shared(TimedCall call) {
    DMatrixRMaj shared = new DMatrixRMaj(calls.size(), 1);
    for (int a = 0; a < calls.size(); a++) {
      shared.set(a, 0, covariance(call, calls.get(a).call()));
    }
    return shared;
  }

  private double variance(TimedCall call, DMatrixRMaj shared) {
    return solved().left(covariance(call, call), shared) + NOISE * NOISE;
  }

  /**
   * The factor between the times of NCCL's choices of the next smaller and the next larger measured
   * size of the same ranks: a call of more bytes takes no less time.
   *
   * @param factor the factor without this condition
   */
  public double between(TimedCall call, double factor) {
    double least = 0;
    double most = Double.MAX_VALUE;
    for (MeasuredCall measured : calls) {
      if (measured.call().isSameJob(call)) {
        double ratio = measured.timeUs() / call.predictedUs();
        least = measured.call().bytes() <= call.bytes() ? Math.max(least, ratio) : least;
        most = measured.call().bytes() >= call.bytes() ? Math.min(most, ratio) : most;
      }
    }
    return least > most ? factor : Math.min(most, Math.max(least, factor));
  }

  /** How well the other times predict each, in the order of the times. */
  public List<LeftOut> leftOut() {
    Solved all = solved();
    return IntStream.range(0, calls.size())
        .mapToObj(
            a -> {
              double precision = all.inverse.get(a, a);
              double error = all.weights.get(a, 0) / precision;
              return new LeftOut(
                  calls.get(a),
                  calls.get(a).off(1),
                  Math.expm1(Math.abs(error)),
                  Math.abs(error) * Math.sqrt(precision) > OUTLIER * Math.max(1, all.scale));
            })
        .toList();
  }

  /**
   * A common factor of the times of all collectives, or of all sends and receives.
   *
   * @param kind what takes so many times as long as predicted
   * @param isOfPeers whether it is of sends and receives
   * @param factor its most likely value
   * @param part relative error that 90 of 100 such factors do not exceed
   * @param isDetermined whether the times determine it
   */
  public record CommonFactor(
      CommonPart kind, boolean isOfPeers, double factor, double part, boolean isDetermined) {}

  /** The parts of a time that err alike for all collectives. */
  public enum CommonPart {
    LAUNCH("launch of a kernel", Parts::launch),
    LATENCY("start and steps", Parts::latency),
    TRANSFER("moving data", Parts::transfer);

    private final String label;
    private final ToDoubleFunction<Parts> part;

    CommonPart(String label, ToDoubleFunction<Parts> part) {
      this.label = label;
      this.part = part;
    }

    /** Label in text output. */
    public String label() {
      return label;
    }
  }

  /** The common factors of the measured operations, collectives first. */
  public List<CommonFactor> factors() {
    return Stream.of(false, true)
        .filter(peers -> calls.stream().anyMatch(call -> call.call().isOfPeers() == peers))
        .flatMap(peers -> Arrays.stream(CommonPart.values()).map(kind -> factor(kind, peers)))
        .toList();
  }

  private CommonFactor factor(CommonPart kind, boolean isOfPeers) {
    DMatrixRMaj shared = new DMatrixRMaj(calls.size(), 1);
    Prior prior = prior(calls.get(0).call());
    double width =
        switch (kind) {
          case LAUNCH -> LAUNCH;
          case LATENCY -> prior.latency;
          case TRANSFER -> prior.transfer;
        };
    for (int a = 0; a < calls.size(); a++) {
      TimedCall call = calls.get(a).call();
      boolean isAlike = call.isOfPeers() == isOfPeers;
      shared.set(a, 0, isAlike ? square(width) * kind.part.applyAsDouble(call.parts()) : 0);
    }
    Solved all = solved();
    double variance = all.left(square(width), shared);
    return new CommonFactor(
        kind,
        isOfPeers,
        all.factor(shared),
        all.part(variance),
        variance < INFORMED * square(width));
  }

  /**
   * The ratio of measured to predicted errors, 1 where the machine is as others: from 2 on it is of
   * another kind than all that were measured, or the times are not of this job.
   */
  public double contrast() {
    return solved().scale;
  }
}
