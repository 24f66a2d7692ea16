package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.verdict.MeasurementVerdict;
import dev.topo.simulator.verdict.Verdict;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.RangedNumber;
import java.util.List;

/**
 * A measured call next to its prediction, as a table row and a JSON entry.
 *
 * @param forecast the forecast that contains the prediction
 */
public record VerdictRow(CommunicatorPredictions forecast, Verdict verdict) {
  /** All columns and fields of a verdict. */
  public static final Columns<VerdictRow> COLUMNS =
      Columns.of(VerdictRow.class)
          .column("operation", row -> row.prediction().operation().label())
          .field("collective", row -> row.prediction().operation())
          .column("size", row -> row.predicted().size())
          .field("bytes", row -> row.prediction().sizeBytes())
          .column("by", row -> row.prediction().launchName())
          .field("algorithm", row -> row.prediction().tunedAlgorithm())
          .field("protocol", row -> row.prediction().protocol())
          .column("forced", row -> row.isForced() ? "forced" : "")
          .rank(Columns.VERBOSE)
          .column("measured", row -> QuantityFormat.time(row.verdict.measuredUs(false)))
          .field("measuredUs", row -> row.verdict.measuredUs(false))
          .field("measuredInPlaceUs", row -> row.verdict.measuredUs(true))
          .column("busbw", row -> QuantityFormat.bandwidth(row.verdict.measurement().busbwGBps()))
          .unit("GB/s")
          .order(row -> row.verdict.measurement().busbwGBps())
          .column("predicted", row -> row.predicted().time(RangedNumber::number))
          .field("predictedUs", row -> row.prediction().timeUs())
          .field("predictedInPlaceUs", row -> row.verdict.inPlace().timeUs())
          .column("range", row -> row.predicted().time(RangedNumber::range))
          .order(row -> row.prediction().shortestUs())
          .column("busbw", row -> BusbwWords.range(row.prediction()).number())
          .unit("GB/s")
          .rank(Columns.VERBOSE)
          .hint("predicted")
          .order(row -> row.prediction().busbwGBps())
          .column("slowdown", row -> QuantityFormat.change(row.verdict.excess(), 0))
          .order(row -> row.verdict.excess())
          .column("in place", row -> QuantityFormat.change(row.verdict.excessInPlace(), 0))
          .order(row -> row.verdict.excessInPlace())
          .column("tolerance", VerdictRow::tolerance)
          .field("tolerance", row -> row.verdict.tolerance())
          .column(LimitWords.TITLE, row -> row.predicted().limit())
          .column("source", row -> row.predicted().source())
          .rank(Columns.VERBOSE)
          .field("calibrated", row -> row.prediction().isCalibrated())
          .field("source", row -> row.prediction().source())
          .column("verdict", row -> row.verdict.verdict())
          .field("wrong", VerdictRow::isWrong)
          .field("passes", row -> row.verdict.passes())
          .field("verdict", row -> row.verdict.outcome())
          .text("reason", row -> row.verdict.reason())
          .header(
              "collective,algorithm,protocol,bytes,measured_us,measured_in_place_us,predicted_us,"
                  + "predicted_in_place_us,tolerance,verdict,reason,calibrated,source");

  /** Returns the rows of some verdicts. */
  public static List<VerdictRow> of(
      CommunicatorPredictions forecast, List<? extends Verdict> verdicts) {
    return verdicts.stream().map(verdict -> new VerdictRow(forecast, verdict)).toList();
  }

  private Prediction prediction() {
    return verdict.prediction();
  }

  private PredictionRow predicted() {
    return PredictionRow.of(forecast, prediction());
  }

  private String tolerance() {
    return verdict.tolerance().isPresent()
        ? QuantityFormat.percent(verdict.tolerance().getAsDouble(), 0)
        : "not known";
  }

  private boolean isForced() {
    return verdict instanceof MeasurementVerdict ofCollective
        && ofCollective.measurement().forced().isPresent();
  }

  private boolean isWrong() {
    return verdict instanceof MeasurementVerdict ofCollective && ofCollective.isWrong();
  }
}
