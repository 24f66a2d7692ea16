package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.JobMeasurements;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.Measurement;
import dev.topo.inspect.measured.PeerMeasurement;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Call.CallSizes;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.evaluate.CallPredictor;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Judges a measured run of a job by its predictions.
 *
 * @param run the measurements
 * @param predictor predictor for the job of the run
 * @param tolerance allowed excess relative to the predicted time; empty for the default
 * @param sizes the requested sizes; all if empty
 */
public record RunJudge(
    MeasuredRun run, CallPredictor predictor, OptionalDouble tolerance, List<Long> sizes) {
  /** A measured time below this fraction of the predicted one is doubtful. */
  private static final double LEAST_FRACTION = 1.0 / 3;

  /** Copies the list. */
  public RunJudge {
    sizes = List.copyOf(sizes);
  }

  /**
   * Judges sends and receives of the requested operations; no verdicts for calls that no model
   * covers.
   */
  public List<PeerVerdict> peers(Predicate<PeerOperation> operations) {
    List<PeerMeasurement> requested =
        run.peers().stream()
            .filter(measurement -> operations.test(measurement.operation()))
            .filter(measurement -> CallSizes.areAround(sizes, measurement.sizeBytes()))
            .toList();
    return PeerVerdict.of(requested, predictor, tolerance);
  }

  /**
   * Judges collectives.
   *
   * @param calls returns the call of a measurement
   * @param hasOthers whether the file has other measurements to judge
   * @param notes receives notes on ignored and doubtful measurements, a line each
   * @throws TopologyFormatException if the run is not of the job, or there is nothing to judge
   */
  public List<MeasurementVerdict> collectives(
      List<Collective> requested,
      Function<Measurement, CollectiveCall> calls,
      boolean hasOthers,
      Consumer<String> notes) {
    JobMeasurements.check(run, predictor.communicator().job());
    MeasuredRun selected =
        run.only(
            measurement ->
                requested.contains(measurement.collective())
                    && CallSizes.areAround(sizes, measurement.sizeBytes()));
    List<MeasurementVerdict> verdicts =
        MeasurementVerdict.of(selected, calls, predictor, tolerance);
    int ignored = selected.measurements().size() + selected.wrong().size() - verdicts.size();
    if (verdicts.isEmpty() && !hasOthers) {
      throw ignored > 0 ? JobMeasurements.noneOfTheJob(run) : JobMeasurements.noneAskedFor(run);
    }
    if (ignored > 0) {
      notes.accept(
          "%s: %s ignored: other numbers of GPUs, forced channels, or what NCCL would not run here"
              .formatted(run.file(), QuantityFormat.count(ignored, "row")));
    }
    long tooFast =
        verdicts.stream().filter(verdict -> verdict.excess() < LEAST_FRACTION - 1).count();
    if (tooFast > 0) {
      notes.accept(
          "%s: %s of %s took less than a third of the predicted time: are they in microseconds and from this machine?"
              .formatted(run.file(), tooFast, verdicts.size()));
    }
    return verdicts;
  }
}
