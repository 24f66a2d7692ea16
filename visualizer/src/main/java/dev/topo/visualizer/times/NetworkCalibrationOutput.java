package dev.topo.visualizer.times;

import dev.topo.model.io.SpecField;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.network.NetworkConstant;
import dev.topo.simulator.network.NetworkSpread.Extent;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import dev.topo.simulator.verdict.NetworkReport;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** A calibration of a network with its errors. */
public final class NetworkCalibrationOutput {
  private record Network(
      String name,
      String origin,
      String base,
      OptionalDouble spread,
      List<RangeEntry> spreadOf,
      List<ConstantEntry> constants,
      List<SeriesEntry> series) {}

  private record RangeEntry(
      String collective, int fewestNodes, int mostNodes, long fewestBytes, long mostBytes) {
    static RangeEntry of(Map.Entry<Operation, Extent> one) {
      Extent extent = one.getValue();
      return new RangeEntry(
          one.getKey().ncclTestsName(),
          extent.fewestNodes(),
          extent.mostNodes(),
          extent.fewestBytes(),
          extent.mostBytes());
    }
  }

  private record ConstantEntry(
      String constant, double value, String unit, double base, boolean determined) {}

  private record SeriesEntry(
      String series, boolean fitted, ErrorEntry base, ErrorEntry fit, ErrorEntry heldOut) {}

  private record ErrorEntry(int times, double median, double percentile90, double largest) {
    static ErrorEntry of(Errors errors) {
      return new ErrorEntry(
          errors.count(), errors.median(), errors.percentile90(), errors.largest());
    }
  }

  private NetworkCalibrationOutput() {}

  /** The report as JSON. */
  public static Answer json(NetworkReport report) {
    return Json.document(
        "calibrate-network",
        new Network(
            report.fitted().name(),
            report.fitted().origin(),
            report.base().name(),
            report
                .fitted()
                .spread()
                .map(known -> OptionalDouble.of(known.part()))
                .orElse(OptionalDouble.empty()),
            report.fitted().spread().stream()
                .flatMap(known -> known.measured().entrySet().stream())
                .map(RangeEntry::of)
                .toList(),
            Arrays.stream(NetworkConstant.values())
                .map(
                    one ->
                        new ConstantEntry(
                            one.label(),
                            report.fitted().value(one),
                            one.unit(),
                            report.base().value(one),
                            report.determined().contains(one)))
                .toList(),
            report.rows().stream()
                .map(
                    row ->
                        new SeriesEntry(
                            row.series(),
                            row.isFitted(),
                            ErrorEntry.of(row.base()),
                            ErrorEntry.of(row.fitted()),
                            ErrorEntry.of(row.heldOut())))
                .toList()));
  }

  /** The report for people. */
  public static Answer text(NetworkReport report) {
    TextWriter out = new TextWriter();
    out.line("network %s (fit started from %s)", report.fitted().name(), report.base().name());
    out.line("  %s", report.fitted().origin());
    TextTable constants = TextTable.indented().header("constant,value,unit,before,known");
    for (NetworkConstant constant : NetworkConstant.values()) {
      constants.row(
          constant.label(),
          TextWriter.format("%.4g", report.fitted().value(constant)),
          constant.unit(),
          TextWriter.format("%.4g", report.base().value(constant)),
          report.determined().contains(constant) ? "fitted" : "not determined: kept");
    }
    out.line("").table(constants);
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
                    100 * known.part(), known.words()),
            () -> out.line("\nno range: fewer than 4 times"));
    return Answer.of(out.toString());
  }

  private static String percent(double part) {
    return TextWriter.format("%.1f %%", 100 * part);
  }

  /** The errors as a table. */
  public static Answer csv(NetworkReport report) {
    return Csv.table(
        "series,fitted,times,base_median,base_percentile90,median,percentile90,held_out_median,held_out_percentile90",
        report.rows().stream().map(NetworkCalibrationOutput::cells));
  }

  private static List<?> cells(NetworkReport.Row row) {
    Errors base = row.base();
    return List.of(
        row.series(),
        row.isFitted(),
        base.count(),
        base.median(),
        base.percentile90(),
        row.fitted().median(),
        row.fitted().percentile90(),
        row.heldOut().median(),
        row.heldOut().percentile90());
  }
}
