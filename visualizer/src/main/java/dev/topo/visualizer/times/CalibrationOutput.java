package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.verdict.CalibrationFit.FitResult;
import dev.topo.simulator.verdict.CalibrationReport;
import dev.topo.simulator.verdict.CalibrationReport.CalibrationSet;
import dev.topo.simulator.verdict.ChoiceRegret;
import dev.topo.simulator.verdict.ErrorTable;
import dev.topo.simulator.verdict.HeldOut;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Optional;

/**
 * A calibration with its errors: as text, JSON, CSV, or the Markdown tables of docs/accuracy.md.
 */
public final class CalibrationOutput {
  private static final Columns<ErrorTable.Row> ERRORS =
      Columns.of(ErrorTable.Row.class)
          .column("error of time", "series", ErrorTable.Row::label)
          .column("times", "times", row -> row.model().count())
          .column("median", "median", row -> row.model().median(), CalibrationOutput::percent)
          .column(
              "90th percentile",
              "percentile90",
              row -> row.model().percentile90(),
              CalibrationOutput::percent)
          .column("largest", "largest", row -> row.model().largest(), CalibrationOutput::percent)
          .column(
              "NCCL's model: median",
              "ncclMedian",
              row -> row.nccl().median(),
              CalibrationOutput::percent)
          .column(
              "90th percentile",
              "ncclPercentile90",
              row -> row.nccl().percentile90(),
              CalibrationOutput::percent);

  private static final Fields<ChoiceRegret> REGRET =
      Fields.of(ChoiceRegret.class)
          .field("calls", ChoiceRegret::cases)
          .components("within2Percent", "mean", "worst");

  private CalibrationOutput() {}

  /** Returns the report as text. */
  public static Answer text(CalibrationReport report) {
    TextWriter out = new TextWriter();
    out.line(
        "calibration %s (%s%s)",
        report.calibration().name(),
        report.fit().isPresent() ? "fit started " : "",
        report.reason());
    out.line("  %s", report.calibration().origin());
    report.fit().ifPresent(fit -> constants(out, fit));
    for (CalibrationSet judged : report.judged()) {
      out.line("\n%s, %s", judged.set().name(), judged.isFitted() ? "fitted" : "not fitted");
      out.table(ERRORS.shown(judged.errors(report.model()).rows()));
      int missing = judged.notCovered(report.model());
      if (missing > 0) {
        out.line(
            "  ! %d more are not covered: the timing model covers %s",
            missing, CalibrationReport.COVERED);
      }
      regret(out, "NCCL's choice", judged.regretOfNccl());
      regret(out, "the best by topo predict", judged.regret(report.model()));
    }
    return Answer.of(out);
  }

  private static void constants(TextWriter out, FitResult fit) {
    TextTable table = TextTable.indented().header("constant,value,unit,known to");
    for (Constant constant : Constant.values()) {
      String value = TextWriter.format("%.4g", fit.calibration().value(constant));
      table.row(constant.label(), value, constant.unit(), known(fit, constant));
    }
    out.line("").table(table);
    fit.heldOut().ifPresent(held -> heldOut(out, held));
    if (!fit.undetermined().isEmpty()) {
      out.line(
          "  ! not determined by these times (known to no better than %.0f %%): %s",
          100 * FitResult.UNKNOWN,
          QuantityFormat.joined(", ", fit.undetermined(), Constant::label));
    }
  }

  private static void heldOut(TextWriter out, HeldOut held) {
    String start =
        "%s in the median, %s at the 90th percentile"
            .formatted(percent(held.start().median()), percent(held.start().percentile90()));
    if (held.isKept()) {
      out.line(
          "  ! on sizes held out no fit is better than where it started (%s): the constants are kept",
          start);
    } else {
      out.line(
          "  on sizes held out: %s where the fit started, %s and %s by fits to the others",
          start, percent(held.moved().median()), percent(held.moved().percentile90()));
    }
  }

  private static String known(FitResult fit, Constant constant) {
    Optional<Double> error = Optional.ofNullable(fit.relativeErrors().get(constant));
    if (error.isEmpty()) {
      return fit.isKept() ? "kept" : "fixed";
    }
    return fit.undetermined().contains(constant)
        ? "not determined"
        : TextWriter.format("%.0f %%", Math.max(1, 100 * error.get()));
  }

  private static String percent(double fraction) {
    return QuantityFormat.percent(fraction, 1);
  }

  private static void regret(TextWriter out, String who, ChoiceRegret regret) {
    if (regret.cases() > 0) {
      out.line(
          "  %s is within 2 %% of the best in %d of %d calls, takes %.1f %% longer on average, %s at most",
          who,
          regret.within2Percent(),
          regret.cases(),
          100 * regret.mean(),
          QuantityFormat.atMost(regret.worst(), regret.mean()));
    }
  }

  /** Returns the error tables in Markdown, one for each file. */
  public static Answer markdown(CalibrationReport report) {
    return Answer.of(
        QuantityFormat.joined(
            "\n", report.judged(), judged -> judged.errors(report.model()).markdown("series")));
  }

  /** Returns the errors as CSV with a header; errors are fractions of the measured time. */
  public static Answer csv(CalibrationReport report) {
    String header =
        "file,fitted,series,times,median,percentile90,largest,nccl_median,nccl_percentile90";
    return Csv.table(
        header,
        report.judged().stream()
            .flatMap(
                judged ->
                    judged.errors(report.model()).rows().stream()
                        .map(
                            ERRORS
                                .fields()
                                .column("file", row -> judged.set().name())
                                .column("fitted", row -> judged.isFitted())
                                .row(header))));
  }

  /** Returns the report as JSON. */
  public static Answer json(CalibrationReport report) {
    return Json.document(
        "calibrate",
        Fields.of(CalibrationReport.class)
            .field("name", calibrated -> calibrated.calibration().name())
            .field("origin", calibrated -> calibrated.calibration().origin())
            .components("reason")
            .field("spread", calibrated -> calibrated.calibration().spread())
            .list("constants", calibrated -> List.of(Constant.values()), constant(report))
            .list("sets", CalibrationReport::judged, set(report)),
        report);
  }

  /**
   * The fields of a constant; {@code fitted} and {@code determined} are null if nothing was fitted.
   */
  private static Fields<Constant> constant(CalibrationReport report) {
    return Fields.of(Constant.class)
        .field("constant", Constant::label)
        .field("value", report.calibration()::value)
        .field("unit", Constant::unit)
        .field(
            "fitted",
            constant -> report.fit().map(fit -> fit.relativeErrors().containsKey(constant)))
        .field(
            "determined",
            constant ->
                report
                    .fit()
                    .map(
                        fit ->
                            fit.relativeErrors().containsKey(constant)
                                && !fit.undetermined().contains(constant)));
  }

  private static Fields<CalibrationSet> set(CalibrationReport report) {
    return Fields.of(CalibrationSet.class)
        .field("file", judged -> judged.set().name())
        .field("fitted", CalibrationSet::isFitted)
        .field("notCovered", judged -> judged.notCovered(report.model()))
        .list("errors", judged -> judged.errors(report.model()).rows(), ERRORS.fields())
        .object("followingNccl", CalibrationSet::regretOfNccl, REGRET)
        .object("followingTopo", judged -> judged.regret(report.model()), REGRET);
  }
}
