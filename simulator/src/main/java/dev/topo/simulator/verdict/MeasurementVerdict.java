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
 * The verdict on a measured collective, out of place and in place. Without regard to a calibration,
 * it fails for wrong results, for a bandwidth above that of the links, or below that of every
 * healthy run. With a calibration it fails if it took longer than predicted by more than a
 * tolerance. Without one it does not pass.
 *
 * @param prediction prediction out of place
 * @param inPlace prediction in place
 * @param tolerance allowed excess relative to the predicted time; empty if no range is known
 * @param reason reason of a failure or an open verdict, in words; empty for a pass
 */
public record MeasurementVerdict(
    Measurement measurement,
    CollectivePrediction prediction,
    CollectivePrediction inPlace,
    OptionalDouble tolerance,
    Outcome outcome,
    String reason)
    implements Verdict {
  /** The verdict on a measurement. */
  public enum Outcome {
    /** As fast as predicted. */
    PASS,
    /** Wrong, contradictory or too slow. */
    FAIL,
    /** Not decided, as there is nothing to compare with. */
    INCONCLUSIVE
  }

  /** Least tolerance that includes half the speed. */
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

  /** The criteria for measurements of a job. */
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
      double allowed = tolerance.orElse(usual(out));
      Optional<String> fault = isWrong ? Optional.of(WRONG) : contradiction(measurement);
      fault = fault.or(() -> slowness(measurement, out));
      if (judges(out)) {
        fault =
            fault.or(
                () ->
                    Verdict.slowerThanPredicted(
                        measurement.timeUs() / out.timeUs() - 1,
                        measurement.inPlaceTimeUs() / in.timeUs() - 1,
                        allowed));
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
          fault.or(() -> doubt).orElse(""));
    }

    private Optional<String> contradiction(Measurement measurement) {
      double most = Math.max(busbw(measurement, false), busbw(measurement, true));
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

    /** Not a fault if the prediction is as low, because of a setting or a forced pair. */
    private Optional<String> slowness(Measurement measurement, CollectivePrediction out) {
      double least = Math.min(busbw(measurement, false), busbw(measurement, true));
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

    /** The reason why a measurement without a fault is not decided. */
    private Optional<String> doubt(CollectivePrediction out, double allowed) {
      if (!judges(out)) {
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
     * True if a prediction can judge; those between nodes come from other clusters and need a known
     * error.
     */
    private boolean judges(CollectivePrediction out) {
      boolean isKnown = out.spread().isPresent() || tolerance.isPresent();
      return out.source().judges() || (out.source() == Source.NETWORK && isKnown);
    }

    private static double busbw(Measurement measurement, boolean inPlace) {
      return measurement
          .collective()
          .busbwGBps(measurement.sizeBytes(), measurement.timeUs(inPlace), measurement.nGpus());
    }

    /** The usual tolerance; infinite if no range is known. */
    private static double usual(CollectivePrediction prediction) {
      double spread = prediction.spread().orElse(Double.POSITIVE_INFINITY);
      return prediction.longestUs(SPREADS * spread) / prediction.timeUs() - 1;
    }
  }

  /**
   * Judges the measurements of a job that NCCL would run this way: in their order, then those with
   * wrong results. Measurements with a forced number of channels are left out.
   *
   * @param calls the call of a measurement
   * @param tolerance allowed excess; if empty twice the error of 90 of 100 predictions, on a host
   *     that launches slowly
   */
  public static List<MeasurementVerdict> of(
      MeasuredRun run,
      Function<Measurement, CollectiveCall> calls,
      CallPredictor predictor,
      OptionalDouble tolerance) {
    int nRanks = predictor.planner().communicator().facts().nRanks();
    MeasuredRun ours =
        run.only(measurement -> measurement.nGpus() == nRanks && measurement.channels().isEmpty());
    Judge judge =
        new Judge(
            predictor,
            tolerance,
            new LinkLimits(predictor.planner().communicator(), predictor.planner().actual()));
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

  @Override
  public double measuredUs(boolean isInPlace) {
    return measurement.timeUs(isInPlace);
  }

  @Override
  public double measuredBusbwGBps() {
    return measurement.busbwGBps();
  }

  /** True if results were wrong. */
  public boolean isWrong() {
    return reason.equals(WRONG);
  }

  /** The numbers of verdicts of each kind, in words, with the reasons of open ones. */
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
   * True if it waited for launches longer than on the host of the calibration: the cause is the
   * CPU, not the links.
   */
  public boolean hasSlowLaunches() {
    return prediction.estimate().bottleneck() == Bottleneck.LAUNCH
        && excess() > SPREADS * prediction.spread().orElse(Double.POSITIVE_INFINITY);
  }
}
