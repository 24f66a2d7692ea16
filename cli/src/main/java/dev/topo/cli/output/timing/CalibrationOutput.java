package dev.topo.cli.output.timing;

import dev.topo.cli.calibrate.CalibrationReport;
import dev.topo.cli.calibrate.CalibrationSet;
import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Csv;
import dev.topo.cli.output.Json;
import dev.topo.cli.output.TextTable;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.accuracy.ChoiceRegret;
import dev.topo.simulator.accuracy.ErrorTable;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.fit.FitResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A calibration with its errors: for people, as data, or as the tables of docs/accuracy.md. */
public final class CalibrationOutput {
  private CalibrationOutput() {}

  /** The report for people. */
  public static Answer text(CalibrationReport report) {
    StringBuilder out = new StringBuilder();
    out.append("calibration ").append(report.calibration().name()).append(" (");
    out.append(report.fit().isPresent() ? "fit started " : "")
        .append(report.reason())
        .append(")\n");
    out.append("  ").append(report.calibration().origin()).append('\n');
    report.fit().ifPresent(fit -> constants(out, fit));
    for (CalibrationSet judged : report.judged()) {
      out.append('\n').append(judged.set().name());
      out.append(judged.isFitted() ? ", fitted" : ", not fitted").append('\n');
      errors(out, judged.errors(report.model()));
      int missing = judged.notCovered(report.model());
      if (missing > 0) {
        out.append("  ! ").append(missing);
        out.append(
            " more are not covered: the timing model covers " + CalibrationReport.COVERED + "\n");
      }
      regret(out, "NCCL's choice", judged.regretOfNccl());
      regret(out, "the best by topo predict", judged.regret(report.model()));
    }
    return Answer.of(out.toString());
  }

  private static void constants(StringBuilder out, FitResult fit) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("  constant", "value", "unit", "known to"));
    for (Constant constant : Constant.values()) {
      rows.add(
          List.of(
              "  " + constant.label(),
              String.format(Locale.ROOT, "%.4g", fit.calibration().value(constant)),
              constant.unit(),
              known(fit, constant)));
    }
    out.append('\n');
    TextTable.append(out, rows);
    if (!fit.undetermined().isEmpty()) {
      out.append(
          String.format(
              Locale.ROOT,
              "  ! not determined by these times (known to no better than %.0f %%): %s%n",
              100 * FitResult.UNKNOWN,
              labels(fit.undetermined())));
    }
  }

  private static String known(FitResult fit, Constant constant) {
    Optional<Double> error = Optional.ofNullable(fit.relativeErrors().get(constant));
    if (error.isEmpty()) {
      return "fixed";
    }
    return fit.undetermined().contains(constant)
        ? "not determined"
        : String.format(Locale.ROOT, "%.0f %%", Math.max(1, 100 * error.get()));
  }

  private static String labels(List<Constant> constants) {
    return constants.stream().map(Constant::label).collect(Collectors.joining(", "));
  }

  private static void errors(StringBuilder out, ErrorTable table) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "  error of time",
            "times",
            "median",
            "90th percentile",
            "largest",
            "NCCL's model: median",
            "90th percentile"));
    for (ErrorTable.Row row : table.rows()) {
      rows.add(
          List.of(
              "  " + row.label(),
              String.valueOf(row.model().count()),
              percent(row.model().median()),
              percent(row.model().percentile90()),
              percent(row.model().largest()),
              percent(row.nccl().median()),
              percent(row.nccl().percentile90())));
    }
    TextTable.append(out, rows);
  }

  private static String percent(double part) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * part);
  }

  private static void regret(StringBuilder out, String who, ChoiceRegret regret) {
    if (regret.cases() > 0) {
      out.append(
          String.format(
              Locale.ROOT,
              "  %s is within 2 %% of the best in %d of %d calls, takes %.1f %% longer on average, %s at most\n",
              who,
              regret.within2Percent(),
              regret.cases(),
              100 * regret.mean(),
              QuantityFormat.atMost(regret.worst(), regret.mean())));
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
    StringBuilder out =
        new StringBuilder(
            "file,fitted,series,times,median,percentile90,largest,nccl_median,nccl_percentile90\n");
    for (CalibrationSet judged : report.judged()) {
      for (ErrorTable.Row row : judged.errors(report.model()).rows()) {
        out.append(
            String.format(
                Locale.ROOT,
                "%s,%b,%s,%d,%.4f,%.4f,%.4f,%.4f,%.4f\n",
                Csv.field(judged.set().name()),
                judged.isFitted(),
                Csv.field(row.label()),
                row.model().count(),
                row.model().median(),
                row.model().percentile90(),
                row.model().largest(),
                row.nccl().median(),
                row.nccl().percentile90()));
      }
    }
    return Answer.of(out.toString());
  }

  /** The report as JSON. */
  public static Answer json(CalibrationReport report) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", report.calibration().name());
    tree.put("origin", report.calibration().origin());
    tree.put("reason", report.reason());
    tree.put("spread", PredictionData.number(report.calibration().spread()));
    List<Object> constants = new ArrayList<>();
    for (Constant constant : Constant.values()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("constant", constant.label());
      entry.put("value", PredictionData.number(report.calibration().value(constant)));
      entry.put("unit", constant.unit());
      report
          .fit()
          .ifPresent(
              fit -> {
                entry.put("fitted", fit.relativeErrors().containsKey(constant));
                entry.put("determined", isDetermined(fit, constant));
              });
      constants.add(entry);
    }
    tree.put("constants", constants);
    tree.put("sets", report.judged().stream().map(judged -> set(report, judged)).toList());
    return Answer.of(Json.write(tree));
  }

  private static boolean isDetermined(FitResult fit, Constant constant) {
    return fit.relativeErrors().containsKey(constant) && !fit.undetermined().contains(constant);
  }

  private static Map<String, Object> set(CalibrationReport report, CalibrationSet judged) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("file", judged.set().name());
    tree.put("fitted", judged.isFitted());
    tree.put("notCovered", judged.notCovered(report.model()));
    tree.put(
        "errors",
        judged.errors(report.model()).rows().stream().map(CalibrationOutput::row).toList());
    tree.put("followingNccl", regret(judged.regretOfNccl()));
    tree.put("followingTopo", regret(judged.regret(report.model())));
    return tree;
  }

  private static Map<String, Object> row(ErrorTable.Row row) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("series", row.label());
    entry.put("times", row.model().count());
    entry.put("median", PredictionData.number(row.model().median()));
    entry.put("percentile90", PredictionData.number(row.model().percentile90()));
    entry.put("largest", PredictionData.number(row.model().largest()));
    entry.put("ncclMedian", PredictionData.number(row.nccl().median()));
    entry.put("ncclPercentile90", PredictionData.number(row.nccl().percentile90()));
    return entry;
  }

  private static Map<String, Object> regret(ChoiceRegret regret) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("calls", regret.cases());
    entry.put("within2Percent", regret.within2Percent());
    entry.put("mean", PredictionData.number(regret.mean()));
    entry.put("worst", PredictionData.number(regret.worst()));
    return entry;
  }
}
