package dev.topo.simulator.verdict;

import dev.topo.model.Alike;
import dev.topo.simulator.calibration.OwnTimes;
import dev.topo.simulator.calibration.OwnTimes.LeftOut;
import dev.topo.simulator.calibration.TimedCall.MeasuredCall;
import dev.topo.simulator.evaluate.OwnCalibration;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * A calibration by times of the user's own machine, with its errors.
 *
 * @param calibration the calibration
 * @param against times that are not in it
 * @param shares the largest part of what the links carry, by operation and launch
 */
public record OwnReport(
    OwnCalibration calibration, List<MeasuredCall> against, Map<String, Double> shares) {
  /** Contrast from which on a machine is unlike all that were measured. */
  private static final double UNLIKE = 3;

  /**
   * Errors of the times of an operation by the same launch on the same ranks.
   *
   * @param isFitted whether the times are in the calibration; their errors after it are by all
   *     other times
   * @param share the largest part of what the links carry
   */
  public record Row(
      String series, boolean isFitted, Errors before, Errors after, OptionalDouble share) {}

  public OwnReport {
    against = List.copyOf(against);
    shares = Map.copyOf(shares);
  }

  /** Errors by operation and launch, times of the calibration first. */
  public List<Row> rows() {
    OwnTimes times = calibration.times();
    List<LeftOut> others =
        against.stream()
            .map(
                call ->
                    new LeftOut(
                        call,
                        call.off(1),
                        call.off(times.between(call.call(), times.of(call.call()).factor())),
                        false))
            .toList();
    return Stream.concat(rows(times.leftOut(), true), rows(others, false)).toList();
  }

  private Stream<Row> rows(List<LeftOut> times, boolean isFitted) {
    return Alike.by(times, time -> time.call().call().series()).entrySet().stream()
        .map(
            series ->
                new Row(
                    series.getKey(),
                    isFitted,
                    Errors.of(series.getValue(), LeftOut::before),
                    Errors.of(series.getValue(), LeftOut::after),
                    isFitted && shares.containsKey(series.getKey())
                        ? OptionalDouble.of(shares.get(series.getKey()))
                        : OptionalDouble.empty()));
  }

  /** Times that contradict the others. */
  public List<LeftOut> outliers() {
    return calibration.times().leftOut().stream().filter(LeftOut::isOutlier).toList();
  }

  /** True if the machine, or the times, are unlike all that topo knows. */
  public boolean isUnlike() {
    return calibration.times().contrast() > UNLIKE;
  }
}
