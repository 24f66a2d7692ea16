package dev.topo.simulator.advice;

import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.evaluate.JobRequest.CallContext;
import dev.topo.simulator.evaluate.JobResult;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Compares alternatives with the present call. If gains were measured on such jobs, the range of a
 * gain comes from the errors of measured gains of the same levers. Otherwise it follows from the
 * ranges of both times, as it is unknown how much of their errors is common.
 *
 * @param isMeasured whether gains were measured on such jobs
 */
public record GainFinder(boolean isMeasured) {
  /**
   * Least number of measured ratios from which the error of a combination of levers can be told.
   */
  private static final int MANY_RATIOS = 10;

  /**
   * Creates the finder for a job. Gains were measured with one calibration, NCCL release, largest
   * number of GPUs and way to launch.
   */
  static GainFinder of(JobResult job) {
    CallContext context = job.request().context();
    boolean isCalibrated =
        job.predictor()
            .calibration()
            .map(Calibration::name)
            .map(name -> CalibrationFile.related(name).orElse(name))
            .filter(KnownGain.CALIBRATION::equals)
            .isPresent();
    return new GainFinder(
        isCalibrated
            && job.communicator().nRanks() <= KnownGain.MEASURED_GPUS
            && job.communicator().profile().version().equals(KnownGain.NCCL)
            && context.gpusPerProcess() == 1
            && context.groups() == 1);
  }

  /** The gain of an alternative over the present call; empty if its range is unknown. */
  public Optional<Gain> gain(Alternative now, Alternative other) {
    if (!now.isCalibrated() || !other.isCalibrated()) {
      return Optional.empty();
    }
    double ratio = now.timeUs() / other.timeUs();
    if (isMeasured) {
      OptionalDouble part = relativeError(other);
      return part.isPresent() ? Optional.of(Gain.of(ratio, part.getAsDouble())) : Optional.empty();
    }
    return now.range()
        .flatMap(
            present ->
                other
                    .range()
                    .map(
                        range ->
                            new Gain(
                                ratio,
                                present.lowUs() / range.highUs(),
                                present.highUs() / range.lowUs())));
  }

  /**
   * The relative error of the gain of a combination of levers; empty if unknown. With few or no
   * measured ratios, it is at least the root of the sum of the squared errors of the single levers.
   */
  private static OptionalDouble relativeError(Alternative variant) {
    long bytes = variant.call().sizeBytes();
    Optional<KnownGain> combination = KnownGain.of(variant.basis(), bytes);
    if (combination.isPresent() && combination.get().ratios() >= MANY_RATIOS) {
      return OptionalDouble.of(combination.get().part());
    }
    double sumOfSquares = 0;
    for (String lever : variant.basis().split("\\+", -1)) {
      Optional<KnownGain> single = KnownGain.of(lever, bytes);
      if (single.isEmpty()) {
        return OptionalDouble.empty();
      }
      sumOfSquares += single.get().part() * single.get().part();
    }
    double least = combination.map(KnownGain::part).orElse(0.0);
    return OptionalDouble.of(Math.max(least, Math.sqrt(sumOfSquares)));
  }
}
