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
 * Fits the constants of the timing model to measured times: least squares of the logarithms of
 * predicted by measured time, with a loss that is linear for large errors ({@code soft L1}) to
 * limit the weight of outliers; Levenberg-Marquardt on the logarithms of the constants. Each
 * constant is drawn weakly to its start, so that constants without influence on the data stay
 * there. Deterministic. A round evaluates only the parts of a time that depend on a constant
 * ({@link CallTimes}).
 */
public final class CalibrationFit {
  /**
   * The result of a fit.
   *
   * @param calibration the constants
   * @param relativeErrors relative standard error of each fitted constant, from the slopes of the
   *     model at the solution and the scatter of the observations
   * @param rounds number of rounds of the fit
   * @param heldOut errors on sizes that were held out; empty if none were
   */
  public record FitResult(
      Calibration calibration,
      Map<Constant, Double> relativeErrors,
      int rounds,
      Optional<HeldOut> heldOut) {
    /** A constant whose relative error is larger counts as not determined. */
    public static final double UNKNOWN = 0.20;

    /** NCCL plans with a half of what NVLink carries on Blackwell. */
    private static final double MOST_EFFICIENCY = 5;

    private static final List<Constant> EFFICIENCIES =
        List.of(Constant.NVLINK_EFFICIENCY, Constant.PCI_EFFICIENCY);

    public FitResult {
      Map<Constant, Double> copy = new EnumMap<>(Constant.class);
      copy.putAll(relativeErrors);
      relativeErrors = Collections.unmodifiableMap(copy);
    }

    /** True if the constants are those of the start because no fit was better on sizes held out. */
    public boolean isKept() {
      return heldOut.filter(HeldOut::isKept).isPresent();
    }

    /**
     * The reason why the times cannot be right: they imply data rates far above those of the links.
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

    /** The fitted constants that the data do not determine, in their order. */
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
   * @param weight weight in a fit; 1 for an ordinary call
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

  /** Relative error above which an observation counts less: the scatter of single runs. */
  private static final double OUTLIER = 0.02;

  /** Weight with which a constant is drawn to its start, per unit of its logarithm. */
  static final double DRAW = 0.03;

  /** Median difference of repeated calls on four H200 (docs/accuracy.md). */
  private static final double LEAST_SCATTER = 0.01;

  /** Logarithm of the factor of the step's wait at a second start of the fit. */
  private static final double OTHER_STEP = Math.log(6);

  private static final int MAX_ROUNDS = 200;

  /** The logarithm of an efficiency of links far beyond what {@link FitResult#doubt} accepts. */
  private static final double HOPELESS = Math.log(20);

  private static final double DIFFERENCE = 1e-5;
  private static final double ENOUGH = 1e-9;
  private static final double MAX_DAMPING = 1e12;

  private final List<FitObservation> observations;
  private final int[] calls;
  private final CallTimes startTimes;
  private final Calibration start;
  private final Constant[] free;
  private final Function<Calibration, TimingModel> model;
  private final double draw;

  /**
   * A fit.
   *
   * @param start where the constants start, and the values of those that are not free
   * @param free the constants to find
   */
  public CalibrationFit(List<FitObservation> observations, Calibration start, Set<Constant> free) {
    this(observations, start, free, TimingModel::new);
  }

  /**
   * A fit with another timing model.
   *
   * @param model the model with some constants
   */
  public CalibrationFit(
      List<FitObservation> observations,
      Calibration start,
      Set<Constant> free,
      Function<Calibration, TimingModel> model) {
    this(observations, start, free, model, DRAW);
  }

  /**
   * A fit with another weight of the start.
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
   * The constants that fit best.
   *
   * @param name name of the calibration to make
   * @param rounds receives the number of each round, from 1, as it begins
   */
  public FitResult run(String name, String origin, IntConsumer rounds) {
    double[] x0 = logarithms();
    Descent best = new Descent(x0, x0).run(rounds);
    for (int c = 0; c < free.length; c++) {
      if (free[c] == Constant.STEP_SIMPLE) {
        // A second slice that hides the wait for the first leaves no slope to where it does not.
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

  /** Descent from some constants to a minimum of the cost. */
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
            better = cost - nextCost > ENOUGH * cost;
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
     * True if the links come out so fast that the times must be in another unit or of another
     * machine, which more rounds do not change.
     */
    private boolean isHopeless() {
      return IntStream.range(0, free.length)
          .anyMatch(c -> FitResult.EFFICIENCIES.contains(free[c]) && x[c] > HOPELESS);
    }
  }

  private FitResult result(String name, String origin, Descent end) {
    double[] residuals = end.residuals;
    Map<Constant, Double> errors = new EnumMap<>(Constant.class);
    // The weight of the start does not show how well the times determine a constant.
    double[] spread =
        equations(end.x, end.x0, end.times, residuals, DRAW).standardErrors(scatter(residuals));
    for (int c = 0; c < free.length; c++) {
      errors.put(free[c], spread[c]);
    }
    Calibration found =
        calibration(end.x)
            .named(name, origin, spread(residuals))
            .withPublished(stillPublished(errors));
    FitResult fit = new FitResult(found, errors, end.round, Optional.empty());
    if (2 * fit.undetermined().size() <= free.length) {
      return fit;
    }
    // The errors of so few times do not hold for other calls.
    double claimed = Math.max(found.spread(), start.spread());
    return new FitResult(found.named(name, origin, claimed), errors, end.round, Optional.empty());
  }

  /** The result that leaves all constants where they start. */
  FitResult kept(String name, String origin) {
    double[] residuals = residuals(startTimes);
    double claimed = Math.max(spread(residuals), start.spread());
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
      double z = residual / OUTLIER;
      sum += 2 * OUTLIER * OUTLIER * (Math.sqrt(1 + z * z) - 1);
    }
    for (int c = 0; c < x.length; c++) {
      double drawn = draw * (x[c] - x0[c]);
      sum += drawn * drawn;
    }
    return sum;
  }

  private NormalEquations equations(
      double[] x, double[] x0, CallTimes times, double[] residuals, double drawn) {
    DMatrixRMaj slopes = new DMatrixRMaj(calls.length, x.length);
    double[] weights = new double[calls.length];
    for (int c = 0; c < x.length; c++) {
      double[] moved = x.clone();
      moved[c] += DIFFERENCE;
      CallTimes movedTimes = times(times, moved);
      for (int o = 0; o < residuals.length; o++) {
        if (movedTimes.timeUs(calls[o]) != times.timeUs(calls[o])) {
          slopes.set(o, c, (residual(movedTimes, o) - residuals[o]) / DIFFERENCE);
        }
      }
    }
    for (int o = 0; o < residuals.length; o++) {
      double z = residuals[o] / OUTLIER;
      weights[o] = 1 / Math.sqrt(1 + z * z);
    }
    NormalEquations equations = new NormalEquations(slopes, residuals, weights);
    for (int c = 0; c < x.length; c++) {
      equations.draw(c, drawn, x[c] - x0[c]);
    }
    return equations;
  }

  /** The error that 90 of 100 observations stay below, at least the scatter of single runs. */
  private static double spread(double[] residuals) {
    return Math.max(LEAST_SCATTER, Math.min(1, Quantiles.of(sizes(residuals), 0.9)));
  }

  /**
   * The scatter of the residuals, from their median; at least the scatter of single runs, so that
   * few data with an exact fit do not count as precise.
   */
  private static double scatter(double[] residuals) {
    return Math.max(LEAST_SCATTER, 1.4826 * Quantiles.median(sizes(residuals)));
  }

  private static double[] sizes(double[] residuals) {
    return Arrays.stream(residuals).map(Math::abs).toArray();
  }
}
