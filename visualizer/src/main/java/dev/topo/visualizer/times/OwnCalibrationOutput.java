package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.TextWriter;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.OwnTimes.CommonFactor;
import dev.topo.simulator.calibration.OwnTimes.LeftOut;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import dev.topo.simulator.verdict.MeasurementPlan;
import dev.topo.simulator.verdict.OwnReport;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords;
import java.util.List;

/** A calibration by times of the user's own machine, with its errors, as text, JSON and CSV. */
public final class OwnCalibrationOutput {
  private static final Fields<Errors> ERRORS =
      Fields.of(Errors.class)
          .field("times", Errors::count)
          .components("median", "percentile90", "largest");

  private static final Columns<OwnReport.Row> ROWS =
      Columns.of(OwnReport.Row.class)
          .column(
              "error of time",
              row ->
                  row.series()
                      + (row.isFitted() ? "" : " (" + OptionWords.of(SpecField.AGAINST) + ")"))
          .column("times", row -> row.before().count())
          .column(
              "best of the links' rate",
              row ->
                  row.share().isPresent()
                      ? QuantityFormat.percent(row.share().getAsDouble(), 0)
                      : "")
          .column("before: median", row -> percent(row.before().median()))
          .column("largest", row -> percent(row.before().largest()))
          .column("by the other times: median", row -> percent(row.after().median()))
          .column("largest", row -> percent(row.after().largest()));

  private static final Columns<CommonFactor> FACTORS =
      Columns.of(CommonFactor.class)
          .column(
              "of",
              "sendsAndReceives",
              CommonFactor::isOfPeers,
              isOfPeers -> isOfPeers ? "sends and receives" : "collectives")
          .column("part", "part", factor -> factor.kind().label())
          .column(
              "times as long as predicted",
              factor ->
                  factor.isDetermined()
                      ? TextWriter.format(
                          "%.2f (%.2f to %.2f)",
                          factor.factor(),
                          factor.factor() / (1 + factor.part()),
                          factor.factor() * (1 + factor.part()))
                      : "not determined")
          .field("factor", CommonFactor::factor)
          .field("relativeError", CommonFactor::part)
          .field("determined", CommonFactor::isDetermined);

  private OwnCalibrationOutput() {}

  /** Returns the report as text. */
  public static Answer text(OwnReport report) {
    TextWriter out = new TextWriter();
    out.line("calibration %s: %s", report.calibration().name(), report.calibration().origin());
    out.line("").table(FACTORS.shown(report.calibration().times().factors()));
    out.line("").table(ROWS.shown(report.rows()));
    List<LeftOut> outliers = report.outliers();
    if (!outliers.isEmpty()) {
      out.line("");
    }
    for (LeftOut outlier : outliers) {
      out.line(
          "%s of %s took %s: %s off what the other times tell; measure it again",
          outlier.call().call().series(),
          QuantityFormat.size(outlier.call().call().bytes()),
          QuantityFormat.time(outlier.call().timeUs()),
          percent(outlier.after()));
    }
    if (report.isUnlike()) {
      out.line(
          "\nThese times differ from predictions more than those of any machine that is known, or"
              + " contradict each other: ranges are wide. Check the options of the job.");
    }
    return Answer.of(out);
  }

  /** The runs of a plan as command lines, most telling first. */
  public static Answer of(
      MeasurementPlan plan, int perProcess, NcclSettings settings, String command) {
    TextWriter out = new TextWriter();
    NcclTestsJob tests =
        new NcclTestsJob(
            plan.nodes(),
            plan.ranks(),
            perProcess,
            settings,
            "-b %s -e %s -f %s"
                .formatted(
                    MeasurementPlan.LEAST_BYTES,
                    MeasurementPlan.MOST_BYTES,
                    MeasurementPlan.FACTOR));
    out.line("# 90 of 100 times are within %s before", QuantityFormat.percent(plan.before(), 0));
    for (MeasurementPlan.Step step : plan.steps()) {
      out.line(
          "%s > %s.txt  # then within %s",
          tests.mpirun(step.operation()),
          step.operation().ncclTestsName(),
          QuantityFormat.percent(step.after(), 0));
    }
    out.line("# with Slurm: %s", tests.srun(Collective.ALL_REDUCE));
    out.line("%s", command);
    return Answer.of(out.toString())
        .saying(
            "%s of three sizes tell most of this job; each is worth more than those below it."
                .formatted(QuantityFormat.count(plan.steps().size(), "run")));
  }

  /** Returns the report as JSON. */
  public static Answer json(OwnReport report) {
    return Json.document(
        "calibrate-times",
        Fields.of(OwnReport.class)
            .field("name", own -> own.calibration().name())
            .field("origin", own -> own.calibration().origin())
            .field("machine", own -> own.calibration().times().machine())
            .field("node", own -> own.calibration().node().map(Calibration::name))
            .field("network", own -> own.calibration().network().map(NetworkCalibration::name))
            .field("unlikeOthers", OwnReport::isUnlike)
            .list("factors", own -> own.calibration().times().factors(), FACTORS.fields())
            .list(
                "series",
                OwnReport::rows,
                Fields.of(OwnReport.Row.class)
                    .components("series")
                    .field("fitted", OwnReport.Row::isFitted)
                    .field("partOfBound", OwnReport.Row::share)
                    .object("before", OwnReport.Row::before, ERRORS)
                    .object("after", OwnReport.Row::after, ERRORS))
            .list("outliers", OwnReport::outliers, TIME),
        report);
  }

  private static final Fields<LeftOut> TIME =
      Fields.of(LeftOut.class)
          .field("collective", time -> time.call().call().operation().ncclTestsName())
          .field("launch", time -> time.call().call().launch())
          .field("nodes", time -> time.call().call().nodes())
          .field("ranks", time -> time.call().call().ranks())
          .field("bytes", time -> time.call().call().bytes())
          .field("timeUs", time -> time.call().timeUs())
          .field("predictedUs", time -> time.call().call().predictedUs())
          .field("error", LeftOut::before)
          .field("errorByOthers", LeftOut::after);

  /** Returns the times and their errors as CSV, which can be read again as measurements. */
  public static Answer csv(OwnReport report) {
    return Csv.table(
        "collective,launch,nodes,ranks,bytes,time_us,predicted_us,error,error_by_others",
        TIME,
        report.calibration().times().leftOut().stream());
  }

  private static String percent(double fraction) {
    return QuantityFormat.percent(fraction, 1);
  }
}
