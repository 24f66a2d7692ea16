package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.Measurement;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The verdict on a measured collective, out of place and in place. With or without a calibration, a
 * measurement fails for wrong results, for a bandwidth above that of the links, and for one below
 * that of every healthy run. With a calibration, it also fails if it took longer than predicted by
 * more than a tolerance. Without one, it cannot pass.
 *
 * @param prediction prediction out of place
 * @param inPlace prediction in place
 * @param tolerance allowed excess relative to the predicted time; empty if no range is known
 * @param isWrong whether the results were wrong
 * @param reason reason of a failure or an open verdict, in words; empty for a pass
 */
public record MeasurementVerdict(
    Measurement measurement,
    CollectivePrediction prediction,
    CollectivePrediction inPlace,
    OptionalDouble tolerance,
    Outcome outcome,
    boolean isWrong,
    String reason)
    implements Verdict {
  /** The verdict on a measurement. */
  public enum Outcome {
    /** As fast as predicted. */
    PASS,
    /** Wrong, contradictory or too slow. */
    FAIL,
    /** Not decided: there is no prediction, or its range is unknown or too wide. */
    INCONCLUSIVE
  }

  /** Tolerance from which on half the expected speed would still pass. */
  private static final double HALF_SPEED = 1;

  private static final String WRONG = "wrong result";

  public MeasurementVerdict {
    if (!(tolerance.orElse(0) >= 0)) {
      throw new IllegalArgumentException(tolerance.getAsDouble() + ": expected 0 or more");
    }
    if (reason.isEmpty() != (outcome == Outcome.PASS)) {
      throw new IllegalArgumentException(outcome + " with the reason \"" + reason + "\"");
    }
  }

  /** Judges measurements of a job. */
  private record Judge(CallPredictor predictor, OptionalDouble tolerance, LinkLimits limits) {
    Optional<MeasurementVerdict> judge(
        Measurement measurement, CollectiveCall call, boolean isWrong) {
      Optional<CollectivePrediction> out = predictor.predict(call, measurement.forced(), false);
      Optional<CollectivePrediction> in = predictor.predict(call, measurement.forced(), true);
      return out.isEmpty() || in.isEmpty()
          ? Optional.empty()
          : Optional.of(verdict(measurement, out.get(), in.get(), isWrong));
    }

    private MeasurementVerdict verdict(
        Measurement measurement,
        CollectivePrediction out,
        CollectivePrediction in,
        boolean isWrong) {
      double allowed = tolerance.orElse(defaultTolerance(out));
      Optional<String> fault = isWrong ? Optional.of(WRONG) : contradiction(measurement);
      fault = fault.or(() -> slowness(measurement, out));
      if (canJudge(out)) {
        fault = fault.or(() -> Verdict.slowerThanPredicted(measurement, out, in, allowed));
      }
      Optional<String> doubt = doubt(out, allowed);
      Outcome outcome =
          fault.isPresent()
              ? Outcome.FAIL
              : doubt.isPresent() ? Outcome.INCONCLUSIVE : Outcome.PASS;
      return new MeasurementVerdict(
          measurement,
          out,
          in,
          Double.isInfinite(allowed) ? OptionalDouble.empty() : OptionalDouble.of(allowed),
          outcome,
          isWrong,
          fault.or(() -> doubt).orElse(""));
    }

    private Optional<String> contradiction(Measurement measurement) {
      double most = Math.max(measurement.busbwGBps(false), measurement.busbwGBps(true));
      return limits
          .mostGBps(measurement.collective(), measurement.forced().map(Pair::algorithm))
          .filter(limit -> most > limit)
          .map(
              limit ->
                  "the input contradicts itself: %s GB/s, but %s of this machine carries at most %s GB/s"
                      .formatted(
                          QuantityFormat.bandwidth(most),
                          limits.kind().text(),
                          QuantityFormat.bandwidth(limit)));
    }

    /**
     * The fault if a bandwidth is below that of every healthy run. It is not one if a setting or a
     * forced pair makes the prediction as low.
     */
    private Optional<String> slowness(Measurement measurement, CollectivePrediction out) {
      double least = Math.min(measurement.busbwGBps(false), measurement.busbwGBps(true));
      double ring = limits.ringGBps();
      return limits
          .kind()
          .share(measurement.sizeBytes())
          .filter(share -> limits.nNodes() <= share.nodes())
          .filter(share -> least < share.part() * ring && out.busbwGBps() >= share.part() * ring)
          .map(
              share ->
                  TextWriter.format(
                      "%s GB/s is below %.0f %% of the %s GB/s of %s, which every healthy run"
                          + " exceeds from %s on",
                      QuantityFormat.bandwidth(least),
                      100 * share.part(),
                      QuantityFormat.bandwidth(ring),
                      limits.kind().text(),
                      QuantityFormat.size(share.fromBytes())));
    }

    /** The reason why a measurement without a fault does not pass; empty if it does. */
    private Optional<String> doubt(CollectivePrediction out, double allowed) {
      if (!canJudge(out)) {
        return Optional.of(limits.nNodes() > 1 ? missingBetween(out) : missingInNode(out));
      }
      if (Double.isInfinite(allowed)) {
        return Optional.of("no range is known for such calls");
      }
      return tolerance.isEmpty()
              && allowed >= HALF_SPEED
              && out.estimate().bottleneck() == Bottleneck.LINKS
          ? Optional.of("half the speed is within the range of the calibration")
          : Optional.empty();
    }

    private static String missingBetween(CollectivePrediction out) {
      return out.source() == Source.NETWORK
          ? "no range is known for such calls between nodes"
          : "no calibration between nodes";
    }

    private String missingInNode(CollectivePrediction out) {
      return predictor.calibration().isEmpty()
          ? "no calibration for this machine"
          : "no calibration of " + out.algorithm().label();
    }

    /**
     * True if a measurement can be judged by a prediction. Predictions between nodes come from
     * other clusters and need a known error.
     */
    private boolean canJudge(CollectivePrediction out) {
      boolean isKnown = out.spread().isPresent() || tolerance.isPresent();
      return out.source().judges() || (out.source() == Source.NETWORK && isKnown);
    }

    /** The default tolerance; infinite if no range is known. */
    private static double defaultTolerance(CollectivePrediction prediction) {
      double spread = prediction.spread().orElse(Double.POSITIVE_INFINITY);
      return prediction.longestUs(SPREADS * spread) / prediction.timeUs() - 1;
    }
  }

  /**
   * Judges the measurements that NCCL would run in this job: those with right results in their
   * order, then those with wrong ones. Measurements with a forced number of channels or another
   * number of GPUs are left out.
   *
   * @param calls the call of a measurement
   * @param tolerance allowed excess relative to the predicted time; if empty, that of a host that
   *     launches slowly, at twice the error of 90 of 100 predictions
   */
  public static List<MeasurementVerdict> of(
      MeasuredRun run,
      Function<Measurement, CollectiveCall> calls,
      CallPredictor predictor,
      OptionalDouble tolerance) {
    int nRanks = predictor.communicator().nRanks();
    MeasuredRun ours =
        run.only(measurement -> measurement.nGpus() == nRanks && measurement.channels().isEmpty());
    Judge judge =
        new Judge(
            predictor,
            tolerance,
            new LinkLimits(predictor.communicator(), predictor.planner().actual()));
    return Stream.concat(
            ours.measurements().stream()
                .flatMap(
                    measurement ->
                        judge.judge(measurement, calls.apply(measurement), false).stream()),
            ours.wrong().stream()
                .flatMap(
                    measurement ->
                        judge.judge(measurement, calls.apply(measurement), true).stream()))
        .toList();
  }

  /** Describes the number of verdicts of each outcome, and the reasons of the open ones. */
  public static String summary(List<MeasurementVerdict> verdicts) {
    long passed = verdicts.stream().filter(MeasurementVerdict::passes).count();
    if (passed == verdicts.size()) {
      return "%s of %s PASS".formatted(passed, passed);
    }
    List<String> open =
        verdicts.stream()
            .filter(verdict -> verdict.outcome == Outcome.INCONCLUSIVE)
            .map(MeasurementVerdict::reason)
            .toList();
    return "%s passed, %s failed, %s not decided%s"
        .formatted(
            passed,
            verdicts.size() - passed - open.size(),
            open.size(),
            open.isEmpty()
                ? ""
                : ": " + open.stream().distinct().collect(Collectors.joining("; ")));
  }

  /**
   * True if the call waited for launches longer than on the host of the calibration. The cause is
   * the CPU, not the links.
   */
  public boolean hasSlowLaunches() {
    return prediction.estimate().bottleneck() == Bottleneck.LAUNCH
        && excess() > SPREADS * prediction.spread().orElse(Double.POSITIVE_INFINITY);
  }
}
