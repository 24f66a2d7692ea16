package dev.topo.simulator.verdict;

import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.timing.TimingModel;
import dev.topo.simulator.verdict.CalibrationFit.FitResult;
import java.util.List;
import java.util.Optional;

/**
 * A calibration with the measurements that show its errors.
 *
 * @param fit the fit that produced it; empty for an existing calibration
 * @param reason why this calibration, or this start of the fit, was chosen
 * @param judged all measurements, those of the fit first
 */
public record CalibrationReport(
    Calibration calibration, Optional<FitResult> fit, String reason, List<CalibrationSet> judged) {
  /**
   * Measurements to compare with a calibration.
   *
   * @param isFitted whether the calibration was fitted to them
   */
  public record CalibrationSet(MeasuredSet set, boolean isFitted) {

    /** Errors by collective, algorithm and protocol; NCCL's own choices are separate rows. */
    public ErrorTable errors(TimingModel model) {
      return ErrorTable.of(comparisons(model), CalibrationSet::label);
    }

    private List<ModelError> comparisons(TimingModel model) {
      return ModelError.of(set, model);
    }

    private static String label(ModelError comparison) {
      String pair = ErrorTable.pair(comparison);
      String series =
          comparison.measurement().forced().isPresent()
              ? pair
              : comparison.measurement().collective().label() + ", NCCL's choice";
      return comparison.measurement().channels().isPresent()
          ? series + ", " + comparison.measurement().channels().getAsInt() + " channels"
          : series;
    }

    /** Number of measurements that the timing model does not cover. */
    public int notCovered(TimingModel model) {
      return set.measurements().size() - comparisons(model).size();
    }

    /** The regret of following NCCL's choice, where several pairs were measured. */
    public ChoiceRegret regretOfNccl() {
      return ChoiceRegret.ofNccl(set, 1);
    }

    /** The regret of following the model. */
    public ChoiceRegret regret(TimingModel model) {
      return ChoiceRegret.ofModel(set, model, 1);
    }
  }

  /** The calls that the timing model covers, in words. */
  public static final String COVERED = "Ring, and AllReduce by Tree and NVLS, on one node";

  public CalibrationReport {
    judged = List.copyOf(judged);
  }

  /** The timing model with the constants of the calibration. */
  public TimingModel model() {
    return new TimingModel(calibration);
  }
}
