package dev.topo.simulator.advice;

import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.evaluate.JobRequest.CallContext;
import dev.topo.simulator.evaluate.JobResult;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Compares alternatives with the present call. If gains of such jobs were measured, the range of a
 * gain is that of measured gains of the same levers. Otherwise it follows from the ranges of both
 * times, as their common errors are unknown.
 *
 * @param measured whether gains of such jobs were measured
 */
public record GainFinder(boolean measured) {
  /** Least number of ratios that show the error of a combination of levers. */
  private static final int MANY_RATIOS = 10;

  /**
   * For a job: gains were measured with one calibration, NCCL release, number of GPUs and way to
   * launch.
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
            && job.communicator().facts().nRanks() <= KnownGain.MEASURED_GPUS
            && job.communicator().profile().version().equals(KnownGain.NCCL)
            && context.gpusPerProcess() == 1
            && context.groups() == 1);
  }

  public boolean isMeasured() {
    return measured;
  }

  /** The gain of one alternative over another; empty if its range is not known. */
  public Optional<Gain> gain(Alternative now, Alternative other) {
    if (!now.isCalibrated() || !other.isCalibrated()) {
      return Optional.empty();
    }
    double ratio = now.timeUs() / other.timeUs();
    if (measured) {
      OptionalDouble part = known(other);
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
   * The error of a combination of levers; with few or no ratios at least the sum of the independent
   * errors of each lever.
   */
  private static OptionalDouble known(Alternative variant) {
    long bytes = variant.call().sizeBytes();
    Optional<KnownGain> together = KnownGain.of(variant.basis(), bytes);
    if (together.isPresent() && together.get().ratios() >= MANY_RATIOS) {
      return OptionalDouble.of(together.get().part());
    }
    double squares = 0;
    for (String lever : variant.basis().split("\\+", -1)) {
      Optional<KnownGain> alone = KnownGain.of(lever, bytes);
      if (alone.isEmpty()) {
        return OptionalDouble.empty();
      }
      squares += alone.get().part() * alone.get().part();
    }
    double least = together.map(KnownGain::part).orElse(0.0);
    return OptionalDouble.of(Math.max(least, Math.sqrt(squares)));
  }
}
