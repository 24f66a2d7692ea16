package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.diagnosis.LogTimeFit.Point;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.verdict.JudgedRun;
import dev.topo.simulator.verdict.LinkLimits;
import dev.topo.simulator.verdict.MeasurementVerdict;
import dev.topo.simulator.verdict.PeerVerdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Fits measurements under each hypothesis about a job. Caches the jobs with faults; not
 * thread-safe.
 */
final class JobFit {
  /** Least change of a time, as a logarithm, by which a fault can be detected. */
  private static final double LEAST_CHANGE = 0.08;

  /**
   * Limit of the spread of a fault's own prediction, in logarithms. A fault of which little was
   * measured would otherwise fit whatever the healthy job does not.
   */
  private static final double MOST_FAULT_SPREAD = 0.35;

  /**
   * Standard deviation, in logarithms, of the factor by which an unknown cause slows calls down.
   */
  private static final double ANY_FACTOR_SPREAD = 0.8;

  /**
   * Standard deviation, in logarithms, of the error of a fault's times between nodes, beside that
   * of the healthy job: what a fault costs there was never measured.
   */
  private static final double NETWORK_FAULT_SPREAD = 0.2;

  private static final int SEVERAL = 2;

  private final DiagnosedJob job;
  private final boolean isReleaseKnown;
  private final JobEvaluator evaluator;
  private final List<Hypothesis> hypotheses;
  private final JobTimes times;

  /** Creates the fits for a job. */
  JobFit(DiagnosedJob job, boolean isReleaseKnown, JobEvaluator evaluator) {
    this.job = job;
    this.isReleaseKnown = isReleaseKnown;
    this.evaluator = evaluator;
    this.hypotheses = Hypotheses.of(job, isReleaseKnown);
    this.times = new JobTimes(job, evaluator);
  }

  /**
   * True if several measurements are below the fraction of the links' bandwidth that every healthy
   * run exceeds, although the prediction is not.
   */
  boolean isBelowLinks(List<MeasuredOperation> measurements) {
    LinkLimits limits = new LinkLimits(healthy().communicator(), Optional.empty());
    Optional<PredictedTimes> curve = times.curve("", measurements);
    int below = 0;
    for (int i = 0; i < measurements.size() && curve.isPresent(); i++) {
      below += isBelow(limits, measurements.get(i), curve.get().busbwGBps(i)) ? 1 : 0;
    }
    return below >= Math.min(SEVERAL, measurements.size());
  }

  private static boolean isBelow(LinkLimits limits, MeasuredOperation call, double predicted) {
    return call.operation() instanceof Collective
        && limits
            .kind()
            .share(call.sizeBytes())
            .filter(share -> limits.nNodes() <= share.nodes())
            .map(share -> share.part() * limits.ringGBps())
            .filter(least -> call.busbwGBps() < least && predicted >= least)
            .isPresent();
  }

  /** Returns the collectives, and those sends and receives for which the healthy job has times. */
  List<MeasuredOperation> modelled(List<MeasuredOperation> measurements) {
    return measurements.stream()
        .filter(
            measurement ->
                measurement.operation() instanceof Collective
                    || times.pair("", ForcedCall.of(measurement)).isPresent())
        .toList();
  }

  /**
   * Largest factor by which calls take longer with edits; empty if no times are predicted.
   *
   * @param calls the calls to compare
   */
  OptionalDouble loss(String edits, List<ForcedCall> calls) {
    return times.loss(edits, calls);
  }

  /** True if the times of the healthy job are predicted, not only the ranking of algorithms. */
  boolean knowsTimes(List<MeasuredOperation> measurements) {
    return times.curve("", measurements).map(PredictedTimes::predictsTimes).orElse(false);
  }

  /**
   * The call that shows best how fast the run is; empty if no times are predicted.
   *
   * @param isHealthy whether the run is as expected
   */
  Optional<ReachedSpeed> reached(List<MeasuredOperation> measurements, boolean isHealthy) {
    return knowsTimes(measurements)
        ? times
            .curve("", measurements)
            .flatMap(curve -> ReachedSpeed.of(measurements, curve, isHealthy))
        : Optional.empty();
  }

  FitDecision decide(List<MeasuredOperation> measurements) {
    return FitDecision.of(
        fits(measurements),
        () -> fitsOnHost(measurements),
        measurements,
        isBelowLinks(measurements),
        hasNetwork() && !hasOwnTimes());
  }

  /** Fits in which no call of a single node takes less time than the launches of the run's host. */
  private List<Fit> fitsOnHost(List<MeasuredOperation> measurements) {
    double floorUs =
        hasNetwork()
            ? 0
            : times
                .curve("", measurements)
                .map(curve -> curve.hostFloorUs(measurements))
                .orElse(0.0);
    return fits(measurements, floorUs);
  }

  /** The cause if the measurements are faster than the job can be, or far faster than predicted. */
  Optional<Cause> tooFast(List<MeasuredOperation> measurements) {
    return healthyFit(measurements)
        .flatMap(
            fit ->
                new SpeedLimit(measurements, fit, healthy().communicator().connection())
                    .exceeded());
  }

  /** The calls of NCCL's own choice, of forced pairs if there are no others, each judged alone. */
  JudgedRun judged(List<MeasuredRun> runs) {
    CallPredictor predictor = healthy().predictor();
    boolean isForced =
        runs.stream()
            .flatMap(run -> run.measurements().stream())
            .allMatch(call -> call.forced().isPresent());
    return JudgedRun.of(
        "",
        List.of(),
        "",
        healthy(),
        runs.stream()
            .map(run -> run.only(call -> isForced || call.forced().isEmpty()))
            .flatMap(
                run ->
                    MeasurementVerdict.of(
                        run,
                        call -> CollectiveCall.of(call.collective(), call.sizeBytes()),
                        predictor,
                        OptionalDouble.empty())
                        .stream())
            .toList(),
        runs.stream()
            .flatMap(run -> PeerVerdict.of(run.peers(), predictor, OptionalDouble.empty()).stream())
            .toList());
  }

  private boolean hasOwnTimes() {
    return healthy().request().selectedCalibration().own().isPresent();
  }

  /** True if the job has several nodes. */
  boolean hasNetwork() {
    return job.nodes() > 1;
  }

  /** The fits of the job with a known fault. */
  JobFit withFault(String edits) {
    return new JobFit(job.edited(edits), isReleaseKnown, evaluator);
  }

  /**
   * The healthy job.
   *
   * @throws UnusableTopologyException if NCCL would not start
   */
  JobResult healthy() {
    return times.healthy();
  }

  /**
   * Fits of all hypotheses whose times differ from those of the healthy job, the healthy job first
   * and the unknown cause last; empty if NCCL would not run one of the calls in the healthy job.
   */
  List<Fit> fits(List<MeasuredOperation> measurements) {
    return fits(measurements, 0);
  }

  private List<Fit> fits(List<MeasuredOperation> measurements, double floorUs) {
    Optional<PredictedTimes> healthy = times.curve("", measurements);
    if (healthy.isEmpty() || measurements.isEmpty()) {
      return List.of();
    }
    LogTimeFit fit = new LogTimeFit(points(measurements));
    List<Fit> fits = new ArrayList<>();
    Map<String, Optional<PredictedTimes>> curves = new HashMap<>();
    curves.put("", healthy);
    for (Hypothesis hypothesis : hypotheses) {
      curves
          .computeIfAbsent(hypothesis.edits(), edits -> times.curve(edits, measurements))
          .map(curve -> fit(fit, hypothesis, curve, healthy.get(), measurements, floorUs))
          .filter(candidate -> fits.isEmpty() || candidate.differs(fits.get(0), LEAST_CHANGE))
          .ifPresent(fits::add);
    }
    fits.add(unknown(fit, healthy.get(), measurements, floorUs));
    return fits;
  }

  /** Log posterior of the healthy job; negative infinity if there are no times to compare. */
  double healthyLikelihood(List<MeasuredOperation> measurements) {
    return healthyFit(measurements).map(Fit::logPosterior).orElse(Double.NEGATIVE_INFINITY);
  }

  /** The fit of the healthy job; empty if there are no times to compare. */
  Optional<Fit> healthyFit(List<MeasuredOperation> measurements) {
    return times
        .curve("", measurements)
        .filter(curve -> !measurements.isEmpty())
        .map(
            curve ->
                fit(
                    new LogTimeFit(points(measurements)),
                    Hypotheses.HEALTHY,
                    curve,
                    curve,
                    measurements,
                    0));
  }

  /**
   * Fit of an unknown cause: calls are slower by an arbitrary factor that varies smoothly with the
   * size.
   */
  private static Fit unknown(
      LogTimeFit fit,
      PredictedTimes healthy,
      List<MeasuredOperation> measurements,
      double floorUs) {
    Fit job = fit(fit, Hypotheses.UNKNOWN, healthy, healthy, measurements, floorUs);
    double[] spreads =
        Arrays.stream(job.spreads()).map(spread -> Math.hypot(spread, ANY_FACTOR_SPREAD)).toArray();
    double[] noises = new double[spreads.length];
    Arrays.fill(noises, Hypothesis.Effect.USUAL_NOISE);
    double likelihood = fit.logLikelihood(job.residuals(), spreads, noises);
    if (Arrays.stream(job.unevenness()).anyMatch(value -> value != 0)) {
      likelihood += LogTimeFit.logLikelihood(job.unevenness(), noises);
    }
    return new Fit(
        Hypotheses.UNKNOWN,
        likelihood + Math.log(Hypotheses.UNKNOWN.prior()),
        job.residuals(),
        job.timesUs(),
        spreads,
        job.unevenness());
  }

  private static Fit fit(
      LogTimeFit fit,
      Hypothesis hypothesis,
      PredictedTimes curve,
      PredictedTimes healthy,
      List<MeasuredOperation> measurements,
      double floorUs) {
    Hypothesis.Effect effect = hypothesis.effect().onHost(floorUs);
    int n = measurements.size();
    double[] residuals = new double[n];
    double[] spreads = new double[n];
    double[] times = new double[n];
    for (int i = 0; i < n; i++) {
      residuals[i] = curve.residual(i, measurements.get(i), effect);
      long size = measurements.get(i).sizeBytes();
      double healthySpread = healthy.spread(i, size);
      spreads[i] = Math.max(healthySpread, Math.min(curve.spread(i, size), MOST_FAULT_SPREAD));
      if (healthy.networkUs(i) > 0 && hypothesis.kind().isPresent()) {
        spreads[i] = Math.hypot(spreads[i], NETWORK_FAULT_SPREAD);
      }
      times[i] = curve.timeUs(i, effect);
    }
    double[] noises = new double[n];
    Arrays.setAll(noises, i -> curve.noise(i, effect));
    double likelihood = fit.logLikelihood(residuals, spreads, noises);
    double[] unevenness = new double[n];
    if (measurements.stream()
        .anyMatch(measurement -> measurement.timeUs() != measurement.inPlaceTimeUs())) {
      Arrays.setAll(unevenness, i -> curve.unevenness(i, measurements.get(i)));
      likelihood += LogTimeFit.logLikelihood(unevenness, noises);
    }
    return new Fit(
        hypothesis,
        likelihood + Math.log(hypothesis.prior()),
        residuals,
        times,
        spreads,
        unevenness);
  }

  private static List<Point> points(List<MeasuredOperation> measurements) {
    List<Operation> operations =
        measurements.stream().map(measurement -> measurement.operation()).distinct().toList();
    return measurements.stream()
        .map(
            measurement ->
                new Point(
                    operations.indexOf(measurement.operation()),
                    Math.log(measurement.sizeBytes()) / Math.log(2)))
        .toList();
  }
}
