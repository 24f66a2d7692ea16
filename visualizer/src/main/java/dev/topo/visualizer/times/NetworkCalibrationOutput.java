package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import dev.topo.simulator.network.NetworkSpread;
import dev.topo.simulator.network.NetworkSpread.Extent;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import dev.topo.simulator.verdict.NetworkReport;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords;
import java.util.List;

/** A calibration of a network with its errors as text, JSON and CSV. */
public final class NetworkCalibrationOutput {
  private static final Fields<Errors> ERRORS =
      Fields.of(Errors.class)
          .field("times", Errors::count)
          .components("median", "percentile90", "largest");

  private static final Fields<NetworkReport.Row> ROW =
      Fields.of(NetworkReport.Row.class)
          .components("series")
          .field("fitted", NetworkReport.Row::isFitted)
          .object("base", NetworkReport.Row::base, ERRORS)
          .object("fit", NetworkReport.Row::fitted, ERRORS)
          .object("heldOut", NetworkReport.Row::heldOut, ERRORS)
          .columns("base_", NetworkReport.Row::base, ERRORS)
          .columns("", NetworkReport.Row::fitted, ERRORS)
          .columns("held_out_", NetworkReport.Row::heldOut, ERRORS)
          .column("times", row -> row.base().count());

  private NetworkCalibrationOutput() {}

  /** Returns the report as JSON. */
  public static Answer json(NetworkReport report) {
    return Json.document(
        "calibrate-network",
        Fields.of(NetworkReport.class)
            .field("name", network -> network.fitted().name())
            .field("origin", network -> network.fitted().origin())
            .field("base", network -> network.base().name())
            .field("spread", network -> network.fitted().spread().map(NetworkSpread::part))
            .field(
                "spreadOf",
                network ->
                    network
                        .fitted()
                        .spread()
                        .map(NetworkCalibrationOutput::extents)
                        .orElse(List.of()))
            .list(
                "constants",
                network -> List.of(NetworkConstant.values()),
                constants(report).fields())
            .list("series", NetworkReport::rows, ROW),
        report);
  }

  private static List<Object> extents(NetworkSpread spread) {
    return Fields.of(Operation.class)
        .field("collective", operation -> operation)
        .including(spread.measured()::get, Fields.ofRecord(Extent.class))
        .json(spread.measured().keySet());
  }

  private static Columns<NetworkConstant> constants(NetworkReport report) {
    return Columns.of(NetworkConstant.class)
        .column("constant", "constant", NetworkConstant::label)
        .column("value", "value", report.fitted()::value, NetworkCalibrationOutput::digits)
        .column("unit", "unit", NetworkConstant::unit)
        .column("before", "base", report.base()::value, NetworkCalibrationOutput::digits)
        .column(
            "known",
            "determined",
            report.determined()::contains,
            isFitted -> isFitted ? "fitted" : "not determined: kept");
  }

  private static String digits(double value) {
    return TextWriter.format("%.4g", value);
  }

  /** Returns the report as text. */
  public static Answer text(NetworkReport report) {
    TextWriter out = new TextWriter();
    out.line("network %s (fit started from %s)", report.fitted().name(), report.base().name());
    out.line("  %s", report.fitted().origin());
    out.line("").table(constants(report).shown(List.of(NetworkConstant.values())));
    TextTable errors =
        TextTable.indented()
            .header(
                "error of time,times,before: median,90th percentile,fit: median,90th percentile,sizes not fitted: median,90th percentile");
    for (NetworkReport.Row row : report.rows()) {
      errors.row(
          row.series() + (row.isFitted() ? "" : " (" + OptionWords.of(SpecField.AGAINST) + ")"),
          row.base().count(),
          percent(row.base().median()),
          percent(row.base().percentile90()),
          percent(row.fitted().median()),
          percent(row.fitted().percentile90()),
          percent(row.heldOut().median()),
          percent(row.heldOut().percentile90()));
    }
    out.line("").table(errors);
    report
        .fitted()
        .spread()
        .ifPresentOrElse(
            known ->
                out.line(
                    "\nrange: 90 of 100 times of sizes that are not in the fit are within %.0f %%: %s; predictions of other calls have no range",
                    100 * known.part(), known.label()),
            () -> out.line("\nno range: fewer than 4 times"));
    return Answer.of(out);
  }

  private static String percent(double fraction) {
    return QuantityFormat.percent(fraction, 1);
  }

  /** Returns the errors as CSV. */
  public static Answer csv(NetworkReport report) {
    return Csv.table(
        "series,fitted,times,base_median,base_percentile90,median,percentile90,held_out_median,held_out_percentile90",
        ROW,
        report.rows().stream());
  }
}
