package dev.topo.diagnose.fit;

import dev.topo.diagnose.cause.Cause;
import dev.topo.diagnose.fit.LogTimeFit.Point;
import dev.topo.measured.Measurement;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Collective;
import dev.topo.search.connect.GraphSource;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.accuracy.LinkLimits;
import dev.topo.simulator.evaluate.JobResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Fits measurements to every hypothesis about a job. Jobs with faults are evaluated once for all
 * measurements; not for several threads.
 */
public final class JobFit {
  /** Faults whose times differ less from those of the healthy job cannot be seen in them. */
  private static final double LEAST_CHANGE = 0.08;

  /**
   * A fault is not known less well than this, however little was measured of it: it would fit
   * whatever the healthy job does not.
   */
  private static final double MOST_OF_FAULT = 0.35;

  private static final int SEVERAL = 2;

  private final DiagnosedJob job;
  private final boolean isReleaseKnown;
  private final JobEvaluations evaluations;
  private final List<Hypothesis> hypotheses;
  private final Map<String, Optional<JobResult>> results = new HashMap<>();
  private final Map<String, Map<Call, Optional<Curve.Pair>>> pairs = new HashMap<>();

  /** What a prediction is of. */
  private record Call(Collective collective, long sizeBytes, Optional<Measurement.Pair> forced) {}

  /** A fit of a job. */
  public JobFit(DiagnosedJob job, boolean isReleaseKnown, GraphSource search) {
    this(job, isReleaseKnown, new JobEvaluations(search));
  }

  private JobFit(DiagnosedJob job, boolean isReleaseKnown, JobEvaluations evaluations) {
    this.job = job;
    this.isReleaseKnown = isReleaseKnown;
    this.evaluations = evaluations;
    this.hypotheses = Hypotheses.of(job, isReleaseKnown);
  }

  /**
   * Whether several measurements are below the part of the links' bandwidth that every healthy run
   * exceeds.
   */
  public boolean isBelowLinks(List<Measurement> measurements) {
    LinkLimits limits = new LinkLimits(healthy().communicator(), Optional.empty());
    Optional<Curve> curve = curve("", measurements);
    int below = 0;
    for (int i = 0; i < measurements.size() && curve.isPresent(); i++) {
      Measurement one = measurements.get(i);
      double predicted = curve.get().busbwGBps(i);
      below +=
          limits
              .kind()
              .share(one.sizeBytes())
              .filter(share -> limits.nNodes() <= share.nodes())
              .map(share -> share.part() * limits.ringGBps())
              .filter(least -> one.busbwGBps() < least && predicted >= least)
              .map(least -> 1)
              .orElse(0);
    }
    return below >= Math.min(SEVERAL, measurements.size());
  }

  /** Whether times of the job as it should be are known, and not only how algorithms rank. */
  public boolean knowsTimes(List<Measurement> measurements) {
    return curve("", measurements).map(Curve::predictsTimes).orElse(false);
  }

  /** What the measurements say of the job. */
  public FitDecision decide(List<Measurement> measurements) {
    return FitDecision.of(
        fits(measurements), measurements, isBelowLinks(measurements), hasNetwork());
  }

  /** That measurements are faster than the job can be, or far faster than predicted. */
  public Optional<Cause> tooFast(List<Measurement> measurements) {
    return fits(measurements).stream()
        .findFirst()
        .flatMap(
            fit ->
                new SpeedLimit(measurements, fit, healthy().communicator().connection())
                    .exceeded());
  }

  /** Whether the job has several nodes. */
  public boolean hasNetwork() {
    return job.nodes() > 1;
  }

  /** A fit of the job with a fault that is known. */
  public JobFit withFault(String edits) {
    return new JobFit(job.edited(edits), isReleaseKnown, evaluations);
  }

  /**
   * The job as it should be.
   *
   * @throws UnusableTopologyException if NCCL would not start
   */
  public JobResult healthy() {
    return results
        .computeIfAbsent("", edits -> Optional.of(evaluations.evaluate(job)))
        .orElseThrow();
  }

  /** The job with edits; empty where they do not fit the machine, or NCCL would not start. */
  private Optional<JobResult> result(String edits) {
    return edits.isEmpty()
        ? Optional.of(healthy())
        : results.computeIfAbsent(
            edits,
            text -> {
              try {
                return Optional.of(evaluations.evaluate(job.edited(text)));
              } catch (TopologyFormatException | UnusableTopologyException e) {
                return Optional.empty();
              }
            });
  }

  private Optional<Curve> curve(String edits, List<Measurement> measurements) {
    Map<Call, Optional<Curve.Pair>> known = pairs.computeIfAbsent(edits, key -> new HashMap<>());
    return predictor(edits)
        .flatMap(
            predictor ->
                Curve.of(
                    measurements,
                    one ->
                        known.computeIfAbsent(
                            new Call(one.collective(), one.sizeBytes(), one.forced()),
                            key -> Curve.Pair.of(predictor, one))));
  }

  /** The times of the job with edits; empty as {@link #result}, or where a call is refused. */
  public Optional<Predictor> predictor(String edits) {
    return result(edits).map(JobResult::predictor);
  }

  /**
   * The fits of all hypotheses whose times differ from those of the healthy job, that one first;
   * none if NCCL would not run one of the calls in the healthy job.
   */
  public List<Fit> fits(List<Measurement> measurements) {
    Optional<Curve> healthy = curve("", measurements);
    if (healthy.isEmpty() || measurements.isEmpty()) {
      return List.of();
    }
    LogTimeFit fit = new LogTimeFit(points(measurements));
    List<Fit> fits = new ArrayList<>();
    Map<String, Optional<Curve>> curves = new HashMap<>();
    curves.put("", healthy);
    for (Hypothesis hypothesis : hypotheses) {
      curves
          .computeIfAbsent(hypothesis.edits(), edits -> curve(edits, measurements))
          .map(curve -> fit(fit, hypothesis, curve, healthy.get(), measurements))
          .filter(one -> fits.isEmpty() || one.differs(fits.get(0), LEAST_CHANGE))
          .ifPresent(fits::add);
    }
    return fits;
  }

  /**
   * How likely the job as it should be is, in logarithms; the least possible if it has no times.
   */
  public double healthyLikelihood(List<Measurement> measurements) {
    return measurements.isEmpty()
        ? Double.NEGATIVE_INFINITY
        : curve("", measurements)
            .map(
                curve ->
                    fit(
                            new LogTimeFit(points(measurements)),
                            Hypotheses.HEALTHY,
                            curve,
                            curve,
                            measurements)
                        .logPosterior())
            .orElse(Double.NEGATIVE_INFINITY);
  }

  private static Fit fit(
      LogTimeFit fit,
      Hypothesis hypothesis,
      Curve curve,
      Curve healthy,
      List<Measurement> measurements) {
    int n = measurements.size();
    double[] residuals = new double[n];
    double[] spreads = new double[n];
    double[] times = new double[n];
    for (int i = 0; i < n; i++) {
      residuals[i] = curve.residual(i, measurements.get(i), hypothesis.effect());
      double known = healthy.spread(i);
      spreads[i] = Math.max(known, Math.min(curve.spread(i), MOST_OF_FAULT));
      times[i] = curve.timeUs(i, hypothesis.effect());
    }
    double[] noises = new double[n];
    Arrays.setAll(noises, i -> curve.noise(i, hypothesis.effect()));
    double likelihood = fit.logLikelihood(residuals, spreads, noises);
    double[] unevenness = new double[n];
    if (measurements.stream().anyMatch(one -> one.timeUs() != one.inPlaceTimeUs())) {
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

  private static List<Point> points(List<Measurement> measurements) {
    List<Collective> collectives =
        measurements.stream().map(Measurement::collective).distinct().toList();
    return measurements.stream()
        .map(
            one ->
                new Point(
                    collectives.indexOf(one.collective()), Math.log(one.sizeBytes()) / Math.log(2)))
        .toList();
  }
}
