package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Predicted times of a job as it is and with edits, for collectives and for sends and receives.
 * Caches evaluated jobs; not thread-safe.
 */
final class JobTimes {
  private final DiagnosedJob job;
  private final JobEvaluator evaluator;
  private final Map<String, Optional<JobResult>> results = new HashMap<>();
  private final Map<String, Map<ForcedCall, Optional<PredictedTimes.Pair>>> pairs = new HashMap<>();

  JobTimes(DiagnosedJob job, JobEvaluator evaluator) {
    this.job = job;
    this.evaluator = evaluator;
  }

  /**
   * The job without edits.
   *
   * @throws UnusableTopologyException if NCCL would not start
   */
  JobResult healthy() {
    return results
        .computeIfAbsent("", edits -> Optional.of(job.evaluated(evaluator)))
        .orElseThrow();
  }

  /** Evaluates the job with edits; empty if they do not fit the machine or NCCL would not start. */
  private Optional<JobResult> result(String edits) {
    return edits.isEmpty()
        ? Optional.of(healthy())
        : results.computeIfAbsent(
            edits,
            text -> {
              try {
                return Optional.of(evaluated(job.edited(text)));
              } catch (TopologyFormatException | UnusableTopologyException | SettingException e) {
                return Optional.empty();
              }
            });
  }

  /** Stated times are of this machine with its network: others have the usual calibrations. */
  private JobResult evaluated(DiagnosedJob edited) {
    if (edited.settings().usesSockets() != job.settings().usesSockets()) {
      return edited.evaluated(evaluator.timedAsUsual());
    }
    try {
      return edited.evaluated(evaluator.quietly());
    } catch (SpecException e) {
      return edited.evaluated(evaluator.timedAsUsual());
    }
  }

  /** Predicted times of the measured calls with edits; empty if one of the calls has none. */
  Optional<PredictedTimes> curve(String edits, List<MeasuredOperation> measurements) {
    return PredictedTimes.of(measurements, call -> pair(edits, call));
  }

  /** Predicted times of a call with edits; empty if NCCL would not run it or no model covers it. */
  Optional<PredictedTimes.Pair> pair(String edits, ForcedCall call) {
    Optional<CallPredictor> predictor = result(edits).map(JobResult::predictor);
    if (predictor.isEmpty()) {
      return Optional.empty();
    }
    return pairs
        .computeIfAbsent(edits, key -> new HashMap<>())
        .computeIfAbsent(call, key -> pair(predictor.get(), call));
  }

  private static Optional<PredictedTimes.Pair> pair(CallPredictor predictor, ForcedCall call) {
    try {
      return PredictedTimes.Pair.of(predictor, call);
    } catch (SettingException e) {
      // The release's sends and receives are not modelled, or the buffers are too small.
      return Optional.empty();
    }
  }

  /** Largest factor by which calls take longer with edits; empty if no times are predicted. */
  OptionalDouble loss(String edits, List<ForcedCall> calls) {
    return calls.stream()
        .flatMap(call -> loss(edits, call).stream())
        .mapToDouble(Double::doubleValue)
        .max();
  }

  private Optional<Double> loss(String edits, ForcedCall call) {
    return pair("", call)
        .map(PredictedTimes.Pair::outOfPlace)
        .filter(CallTime::predictsTimes)
        .flatMap(
            fast ->
                pair(edits, call)
                    .map(PredictedTimes.Pair::outOfPlace)
                    .filter(CallTime::predictsTimes)
                    .map(slow -> slow.timeUs() / fast.timeUs()));
  }
}
