package dev.topo.simulator.verdict;

import dev.topo.model.Quantiles;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.timing.CallTimes;
import dev.topo.simulator.timing.NodeCall;
import dev.topo.simulator.timing.TimingModel;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;

/**
 * Fits the constants of the timing model to measured times, by the Levenberg-Marquardt method on
 * the logarithms of the constants. The residuals are the logarithms of predicted by measured time;
 * the loss is quadratic for small and linear for large ones ({@code soft L1}), which limits the
 * weight of outliers. Each constant is weakly drawn to its start, so that constants without
 * influence on the data stay there. Deterministic. A round evaluates only the parts of a time that
 * depend on a constant ({@link CallTimes}).
 */
public final class CalibrationFit {
  /**
   * The result of a fit.
   *
   * @param calibration the constants
   * @param relativeErrors relative standard error of each fitted constant, from the derivatives of
   *     the model at the solution and the scatter of the observations
   * @param rounds number of rounds of the fit
   * @param heldOut errors on sizes that were held out; empty if none were
   */
  public record FitResult(
      Calibration calibration,
      Map<Constant, Double> relativeErrors,
      int rounds,
      Optional<HeldOut> heldOut) {
    /** Relative error above which the data do not determine a constant. */
    public static final double UNKNOWN = 0.20;

    /**
     * Largest credible ratio of a link's rate to the one that NCCL plans with. NCCL plans with half
     * of what NVLink carries on Blackwell.
     */
    private static final double MOST_EFFICIENCY = 5;

    private static final List<Constant> EFFICIENCIES =
        List.of(Constant.NVLINK_EFFICIENCY, Constant.PCI_EFFICIENCY);

    public FitResult {
      Map<Constant, Double> copy = new EnumMap<>(Constant.class);
      copy.putAll(relativeErrors);
      relativeErrors = Collections.unmodifiableMap(copy);
    }

    /**
     * True if the constants of the start were kept because no fit was better on sizes that were
     * held out.
     */
    public boolean isKept() {
      return heldOut.filter(HeldOut::isKept).isPresent();
    }

    /**
     * The reason why the times cannot be right, which is that they imply data rates far above those
     * of the links; empty if they can.
     */
    Optional<String> doubt() {
      return EFFICIENCIES.stream()
          .filter(constant -> calibration.value(constant) > MOST_EFFICIENCY)
          .map(
              constant ->
                  TextWriter.format(
                      "the times imply links %.0f times as fast as NCCL assumes (%s): expected microseconds, and the"
                          + " machine that they were measured on",
                      calibration.value(constant), constant.label()))
          .findFirst();
    }

    /** The fitted constants that the data do not determine, in the order of the enum. */
    public List<Constant> undetermined() {
      return relativeErrors.entrySet().stream()
          .filter(entry -> entry.getValue() > UNKNOWN)
          .map(Map.Entry::getKey)
          .toList();
    }
  }

  /**
   * A call whose time was measured.
   *
   * @param timeUs measured time in microseconds
   * @param weight factor on its residual; 1 for an ordinary call
   * @param sizeBytes size of the call, by which {@link HeldOutFit} divides calls; 0 if not stated
   */
  public record FitObservation(NodeCall shape, double timeUs, double weight, long sizeBytes) {
    public FitObservation {
      if (!(timeUs > 0) || !(weight > 0)) {
        throw new IllegalArgumentException(
            timeUs + " us with weight " + weight + ": expected more than 0");
      }
    }
  }

  /** Residual above which the loss becomes linear: the scatter of single runs. */
  private static final double LINEAR_FROM = 0.02;

  /** Weight with which a constant is drawn to its start, per unit of its logarithm. */
  static final double DRAW = 0.03;

  /** Median difference of repeated calls on four H200 (docs/accuracy.md). */
  private static final double LEAST_SCATTER = 0.01;

  /** Logarithm of the factor by which the step's wait is longer at a second start of the fit. */
  private static final double OTHER_STEP = Math.log(6);

  private static final int MAX_ROUNDS = 200;

  /**
   * Logarithm of a link efficiency at which a descent stops, far beyond what {@link
   * FitResult#doubt} accepts.
   */
  private static final double HOPELESS_EFFICIENCY = Math.log(20);

  private static final double DERIVATIVE_STEP = 1e-5;
  private static final double LEAST_DECREASE = 1e-9;
  private static final double MAX_DAMPING = 1e12;

  private final List<FitObservation> observations;
  private final int[] calls;
  private final CallTimes startTimes;
  private final Calibration start;
  private final Constant[] free;
  private final Function<Calibration, TimingModel> model;
  private final double draw;

  /**
   * Creates a fit.
   *
   * @param start the constants at the start, and the values of those that are not free
   * @param free the constants to find
   */
  public CalibrationFit(List<FitObservation> observations, Calibration start, Set<Constant> free) {
    this(observations, start, free, TimingModel::new);
  }

  /**
   * Creates a fit of another timing model.
   *
   * @param model creates the model with given constants
   */
  public CalibrationFit(
      List<FitObservation> observations,
      Calibration start,
      Set<Constant> free,
      Function<Calibration, TimingModel> model) {
    this(observations, start, free, model, DRAW);
  }

  /**
   * Creates a fit with another weight of the start.
   *
   * @param draw weight with which a constant is drawn to its start
   */
  CalibrationFit(
      List<FitObservation> observations,
      Calibration start,
      Set<Constant> free,
      Function<Calibration, TimingModel> model,
      double draw) {
    this.draw = draw;
    this.model = model;
    this.observations = List.copyOf(observations);
    Map<NodeCall, Integer> distinct = new LinkedHashMap<>();
    this.calls =
        observations.stream()
            .mapToInt(o -> distinct.computeIfAbsent(o.shape(), shape -> distinct.size()))
            .toArray();
    this.startTimes = new CallTimes(List.copyOf(distinct.keySet()), model.apply(start));
    this.start = start;
    this.free = free.stream().sorted().toArray(Constant[]::new);
    if (observations.isEmpty() || this.free.length == 0) {
      throw new IllegalArgumentException("nothing to fit");
    }
  }

  /**
   * Finds the constants that fit best.
   *
   * @param name name of the calibration to make
   * @param rounds receives the number of each round, from 1, as it begins
   */
  public FitResult run(String name, String origin, IntConsumer rounds) {
    double[] x0 = logarithms();
    Descent best = new Descent(x0, x0).run(rounds);
    for (int c = 0; c < free.length; c++) {
      if (free[c] == Constant.STEP_SIMPLE) {
        // If the second slice hides the wait for the first, the cost does not depend on that wait,
        // so no descent leads to where it matters.
        double[] other = x0.clone();
        other[c] += OTHER_STEP;
        Descent second = new Descent(other, x0).run(rounds);
        best = second.cost < best.cost ? second : best;
      }
    }
    return result(name, origin, best);
  }

  private double[] logarithms() {
    double[] x = new double[free.length];
    for (int c = 0; c < x.length; c++) {
      x[c] = Math.log(start.value(free[c]));
    }
    return x;
  }

  /**
   * A descent from given constants to a minimum of the cost. Arrays of constants hold their
   * logarithms, in the order of {@link #free}.
   */
  private final class Descent {
    private final double[] x0;
    private double[] x;
    private CallTimes times;
    private double[] residuals;
    private double cost;
    private int round;

    /**
     * Starts at some constants.
     *
     * @param x0 values to which the constants are drawn
     */
    private Descent(double[] from, double[] x0) {
      this.x0 = x0;
      this.x = from.clone();
      this.times = times(startTimes, x);
      this.residuals = residuals(times);
      this.cost = cost(residuals, x, x0);
    }

    private Descent run(IntConsumer rounds) {
      double damping = 1e-2;
      boolean better = true;
      while (round < MAX_ROUNDS && better && !isHopeless()) {
        round++;
        rounds.accept(round);
        NormalEquations equations = equations(x, x0, times, residuals, draw);
        better = false;
        while (!better && damping < MAX_DAMPING) {
          double[] next = add(x, equations.step(damping));
          CallTimes nextTimes = times(times, next);
          double[] nextResiduals = residuals(nextTimes);
          double nextCost = cost(nextResiduals, next, x0);
          if (nextCost < cost) {
            better = cost - nextCost > LEAST_DECREASE * cost;
            x = next;
            times = nextTimes;
            residuals = nextResiduals;
            cost = nextCost;
            damping = Math.max(damping / 5, 1e-9);
            if (!better) {
              break;
            }
          } else {
            damping *= 4;
          }
        }
      }
      return this;
    }

    /**
     * True if the links come out so fast that the times must be in another unit or from another
     * machine; more rounds would not help.
     */
    private boolean isHopeless() {
      return IntStream.range(0, free.length)
          .anyMatch(c -> FitResult.EFFICIENCIES.contains(free[c]) && x[c] > HOPELESS_EFFICIENCY);
    }
  }

  private FitResult result(String name, String origin, Descent end) {
    double[] residuals = end.residuals;
    Map<Constant, Double> errors = new EnumMap<>(Constant.class);
    // The standard errors use the usual weight of the start: a larger one would make constants look
    // better determined.
    double[] standardErrors =
        equations(end.x, end.x0, end.times, residuals, DRAW)
            .standardErrors(standardDeviation(residuals));
    for (int c = 0; c < free.length; c++) {
      errors.put(free[c], standardErrors[c]);
    }
    Calibration found =
        calibration(end.x)
            .named(name, origin, errorQuantile90(residuals))
            .withPublished(stillPublished(errors));
    FitResult fit = new FitResult(found, errors, end.round, Optional.empty());
    if (2 * fit.undetermined().size() <= free.length) {
      return fit;
    }
    // With most constants undetermined, the errors on these times do not hold for other calls.
    double claimed = Math.max(found.spread(), start.spread());
    return new FitResult(found.named(name, origin, claimed), errors, end.round, Optional.empty());
  }

  /** Returns a result that keeps all constants of the start. */
  FitResult kept(String name, String origin) {
    double[] residuals = residuals(startTimes);
    double claimed = Math.max(errorQuantile90(residuals), start.spread());
    return new FitResult(start.named(name, origin, claimed), Map.of(), 0, Optional.empty());
  }

  /** The published constants that the observations do not determine. */
  private Set<Constant> stillPublished(Map<Constant, Double> errors) {
    return start.published().stream()
        .filter(c -> errors.getOrDefault(c, Double.MAX_VALUE) > FitResult.UNKNOWN)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static double[] add(double[] x, double[] step) {
    double[] sum = x.clone();
    for (int c = 0; c < x.length; c++) {
      sum[c] += Math.max(-1, Math.min(1, step[c]));
    }
    return sum;
  }

  private Calibration calibration(double[] x) {
    Map<Constant, Double> values = new EnumMap<>(Constant.class);
    for (int c = 0; c < free.length; c++) {
      values.put(free[c], Math.exp(x[c]));
    }
    return start.with(values);
  }

  private CallTimes times(CallTimes near, double[] x) {
    return near.by(model.apply(calibration(x)));
  }

  private double[] residuals(CallTimes times) {
    double[] residuals = new double[calls.length];
    for (int o = 0; o < residuals.length; o++) {
      residuals[o] = residual(times, o);
    }
    return residuals;
  }

  private double residual(CallTimes times, int o) {
    FitObservation observation = observations.get(o);
    return observation.weight() * Math.log(times.timeUs(calls[o]) / observation.timeUs());
  }

  private double cost(double[] residuals, double[] x, double[] x0) {
    double sum = 0;
    for (double residual : residuals) {
      double z = residual / LINEAR_FROM;
      sum += 2 * LINEAR_FROM * LINEAR_FROM * (Math.sqrt(1 + z * z) - 1);
    }
    for (int c = 0; c < x.length; c++) {
      double drawn = draw * (x[c] - x0[c]);
      sum += drawn * drawn;
    }
    return sum;
  }

  private NormalEquations equations(
      double[] x, double[] x0, CallTimes times, double[] residuals, double weightOfStart) {
    DMatrixRMaj derivatives = new DMatrixRMaj(calls.length, x.length);
    double[] weights = new double[calls.length];
    for (int c = 0; c < x.length; c++) {
      double[] shifted = x.clone();
      shifted[c] += DERIVATIVE_STEP;
      CallTimes shiftedTimes = times(times, shifted);
      for (int o = 0; o < residuals.length; o++) {
        if (shiftedTimes.timeUs(calls[o]) != times.timeUs(calls[o])) {
          derivatives.set(o, c, (residual(shiftedTimes, o) - residuals[o]) / DERIVATIVE_STEP);
        }
      }
    }
    for (int o = 0; o < residuals.length; o++) {
      double z = residuals[o] / LINEAR_FROM;
      weights[o] = 1 / Math.sqrt(1 + z * z);
    }
    NormalEquations equations = new NormalEquations(derivatives, residuals, weights);
    for (int c = 0; c < x.length; c++) {
      equations.addPenalty(c, weightOfStart, x[c] - x0[c]);
    }
    return equations;
  }

  /**
   * The absolute residual that 90 of 100 observations stay below, at least the scatter of single
   * runs and at most 1.
   */
  private static double errorQuantile90(double[] residuals) {
    return Math.max(LEAST_SCATTER, Math.min(1, Quantiles.of(absolute(residuals), 0.9)));
  }

  /**
   * The standard deviation of the residuals, estimated from their median size; at least the scatter
   * of single runs, so that few data with an exact fit do not count as precise.
   */
  private static double standardDeviation(double[] residuals) {
    return Math.max(LEAST_SCATTER, 1.4826 * Quantiles.median(absolute(residuals)));
  }

  private static double[] absolute(double[] residuals) {
    return Arrays.stream(residuals).map(Math::abs).toArray();
  }
}
