package dev.topo.diagnose.fit;

import dev.topo.diagnose.fit.LogTimeFit.Point;
import dev.topo.measured.Measurement;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Collective;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Fits measurements to every hypothesis about a job. Jobs with faults are evaluated once for all
 * measurements; not for several threads.
 */
public final class JobFit {
  /** Faults whose times differ less from those of the healthy job cannot be seen in them. */
  private static final double LEAST_CHANGE = 0.08;

  private final DiagnosedJob job;
  private final boolean isReleaseKnown;
  private final Function<NcclProfile, JobEvaluator> evaluators;
  private final List<Hypothesis> hypotheses;
  private final Map<String, Optional<JobResult>> results = new HashMap<>();

  /** A fit of a job. */
  public JobFit(
      DiagnosedJob job, boolean isReleaseKnown, Function<NcclProfile, JobEvaluator> evaluators) {
    this.job = job;
    this.isReleaseKnown = isReleaseKnown;
    this.evaluators = evaluators;
    this.hypotheses = Hypotheses.of(job, isReleaseKnown);
  }

  /** A fit of the job with a fault that is known. */
  public JobFit withFault(String edits) {
    return new JobFit(job.edited(edits), isReleaseKnown, evaluators);
  }

  /**
   * The job as it should be.
   *
   * @throws UnusableTopologyException if NCCL would not start
   */
  public JobResult healthy() {
    return results
        .computeIfAbsent("", edits -> Optional.of(job.evaluate(evaluators)))
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
                return Optional.of(job.edited(text).evaluate(evaluators));
              } catch (TopologyFormatException | UnusableTopologyException e) {
                return Optional.empty();
              }
            });
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
    Optional<Curve> healthy = Curve.of(healthy().predictor(), measurements);
    if (healthy.isEmpty() || measurements.isEmpty()) {
      return List.of();
    }
    LogTimeFit fit = new LogTimeFit(points(measurements));
    List<Fit> fits = new ArrayList<>();
    Map<String, Optional<Curve>> curves = new HashMap<>();
    curves.put("", healthy);
    for (Hypothesis hypothesis : hypotheses) {
      curves
          .computeIfAbsent(
              hypothesis.edits(),
              edits -> predictor(edits).flatMap(one -> Curve.of(one, measurements)))
          .map(curve -> fit(fit, hypothesis, curve, measurements))
          .filter(one -> fits.isEmpty() || one.differs(fits.get(0), LEAST_CHANGE))
          .ifPresent(fits::add);
    }
    return fits;
  }

  private static Fit fit(
      LogTimeFit fit, Hypothesis hypothesis, Curve curve, List<Measurement> measurements) {
    int n = measurements.size();
    double[] residuals = new double[n];
    double[] spreads = new double[n];
    double[] times = new double[n];
    for (int i = 0; i < n; i++) {
      residuals[i] = curve.residual(i, measurements.get(i), hypothesis.effect());
      spreads[i] = curve.spread(i);
      times[i] = curve.timeUs(i, hypothesis.effect());
    }
    double likelihood = fit.logLikelihood(residuals, spreads, hypothesis.effect().noise());
    return new Fit(
        hypothesis, likelihood + Math.log(hypothesis.prior()), residuals, times, spreads);
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
