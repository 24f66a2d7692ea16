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
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A calibration with its errors: for people, as data, or as the tables of docs/accuracy.md. */
public final class CalibrationOutput {
  private record Calibrate(
      String name,
      String origin,
      String reason,
      double spread,
      List<ConstantEntry> constants,
      List<SetEntry> sets) {}

  /** Fitted and determined are absent where nothing was fitted. */
  private record ConstantEntry(
      String constant,
      double value,
      String unit,
      Optional<Boolean> fitted,
      Optional<Boolean> determined) {}

  private record SetEntry(
      String file,
      boolean fitted,
      int notCovered,
      List<ErrorEntry> errors,
      RegretEntry followingNccl,
      RegretEntry followingTopo) {}

  private record ErrorEntry(
      String series,
      int times,
      double median,
      double percentile90,
      double largest,
      double ncclMedian,
      double ncclPercentile90) {}

  private record RegretEntry(int calls, int within2Percent, double mean, double worst) {}

  private CalibrationOutput() {}

  /** The report for people. */
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
      out.table(errors(judged.errors(report.model())));
      int missing = judged.notCovered(report.model());
      if (missing > 0) {
        out.line(
            "  ! %d more are not covered: the timing model covers %s",
            missing, CalibrationReport.COVERED);
      }
      regret(out, "NCCL's choice", judged.regretOfNccl());
      regret(out, "the best by topo predict", judged.regret(report.model()));
    }
    return Answer.of(out.toString());
  }

  private static void constants(TextWriter out, FitResult fit) {
    TextTable table = TextTable.indented().header("constant,value,unit,known to");
    for (Constant constant : Constant.values()) {
      String value = TextWriter.format("%.4g", fit.calibration().value(constant));
      table.row(constant.label(), value, constant.unit(), known(fit, constant));
    }
    out.line("").table(table);
    if (!fit.undetermined().isEmpty()) {
      out.line(
          "  ! not determined by these times (known to no better than %.0f %%): %s",
          100 * FitResult.UNKNOWN,
          fit.undetermined().stream().map(Constant::label).collect(Collectors.joining(", ")));
    }
  }

  private static String known(FitResult fit, Constant constant) {
    Optional<Double> error = Optional.ofNullable(fit.relativeErrors().get(constant));
    if (error.isEmpty()) {
      return "fixed";
    }
    return fit.undetermined().contains(constant)
        ? "not determined"
        : TextWriter.format("%.0f %%", Math.max(1, 100 * error.get()));
  }

  private static TextTable errors(ErrorTable errors) {
    TextTable table = TextTable.indented();
    table.header(
        "error of time,times,median,90th percentile,largest,NCCL's model: median,90th percentile");
    for (ErrorTable.Row row : errors.rows()) {
      table.row(
          row.label(),
          row.model().count(),
          percent(row.model().median()),
          percent(row.model().percentile90()),
          percent(row.model().largest()),
          percent(row.nccl().median()),
          percent(row.nccl().percentile90()));
    }
    return table;
  }

  private static String percent(double part) {
    return TextWriter.format("%.1f %%", 100 * part);
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

  /** The tables of errors in Markdown, one for each file. */
  public static Answer markdown(CalibrationReport report) {
    return Answer.of(
        report.judged().stream()
            .map(judged -> judged.errors(report.model()).markdown("series"))
            .collect(Collectors.joining("\n")));
  }

  /** The errors as a table with a line of names first; errors are parts of the measured time. */
  public static Answer csv(CalibrationReport report) {
    return Csv.table(
        "file,fitted,series,times,median,percentile90,largest,nccl_median,nccl_percentile90",
        report.judged().stream()
            .flatMap(
                judged ->
                    judged.errors(report.model()).rows().stream()
                        .map(
                            row ->
                                List.of(
                                    judged.set().name(),
                                    judged.isFitted(),
                                    row.label(),
                                    row.model().count(),
                                    row.model().median(),
                                    row.model().percentile90(),
                                    row.model().largest(),
                                    row.nccl().median(),
                                    row.nccl().percentile90()))));
  }

  /** The report as JSON. */
  public static Answer json(CalibrationReport report) {
    return Json.document(
        "calibrate",
        new Calibrate(
            report.calibration().name(),
            report.calibration().origin(),
            report.reason(),
            report.calibration().spread(),
            Arrays.stream(Constant.values()).map(one -> entry(report, one)).toList(),
            report.judged().stream().map(judged -> set(report, judged)).toList()));
  }

  private static ConstantEntry entry(CalibrationReport report, Constant constant) {
    Optional<Boolean> fitted = report.fit().map(fit -> fit.relativeErrors().containsKey(constant));
    return new ConstantEntry(
        constant.label(),
        report.calibration().value(constant),
        constant.unit(),
        fitted,
        report
            .fit()
            .map(
                fit ->
                    fit.relativeErrors().containsKey(constant)
                        && !fit.undetermined().contains(constant)));
  }

  private static SetEntry set(CalibrationReport report, CalibrationSet judged) {
    return new SetEntry(
        judged.set().name(),
        judged.isFitted(),
        judged.notCovered(report.model()),
        judged.errors(report.model()).rows().stream().map(CalibrationOutput::row).toList(),
        regret(judged.regretOfNccl()),
        regret(judged.regret(report.model())));
  }

  private static ErrorEntry row(ErrorTable.Row row) {
    return new ErrorEntry(
        row.label(),
        row.model().count(),
        row.model().median(),
        row.model().percentile90(),
        row.model().largest(),
        row.nccl().median(),
        row.nccl().percentile90());
  }

  private static RegretEntry regret(ChoiceRegret regret) {
    return new RegretEntry(regret.cases(), regret.within2Percent(), regret.mean(), regret.worst());
  }
}
