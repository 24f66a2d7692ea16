package dev.topo.visualizer.report;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.PeerMeasurement;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.verdict.PeerVerdict;
import dev.topo.visualizer.chart.PeerCharts;
import dev.topo.visualizer.times.PredictionRow;
import dev.topo.visualizer.times.VerdictRow;
import dev.topo.visualizer.view.Element;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The section with predicted and measured times of operations made of sends and receives: a chart
 * with the range for each operation, and tables.
 */
final class PeerTimesSection {
  private final ReportSubject subject;
  private final CommunicatorPredictions forecast;
  private final List<PeerMeasurement> measured;

  private PeerTimesSection(ReportSubject subject) {
    this.subject = subject;
    this.forecast = subject.forecast(subject.calls().peers());
    this.measured =
        subject.measured().map(MeasuredRun::peers).orElseGet(List::of).stream()
            .filter(measurement -> subject.calls().peers().contains(measurement.operation()))
            .toList();
  }

  /** Returns the section; empty if no such operation is shown or no model covers it. */
  static Optional<Element> of(ReportSubject subject) {
    PeerTimesSection section = new PeerTimesSection(subject);
    return Optional.of(PredictionRow.of(section.forecast))
        .filter(rows -> !rows.isEmpty())
        .map(
            rows ->
                Element.section(
                        "peer-times",
                        "Sends and receives",
                        Element.paragraph("NCCL has no model of their times."))
                    .add(section.charts())
                    .add(
                        PredictionRow.COLUMNS
                            .without("nodes", "hosts", "ranks")
                            .page("Sends and receives by size", rows))
                    .add(section.judged()));
  }

  private Element charts() {
    return ChartFigure.each(
        subject.calls().peers(),
        "",
        operation ->
            ChartFigure.of(
                PeerCharts.of(operation, measured, subject.predictor(), subject.calls().sizes())
                    .busbw(),
                subject.id(operation.ncclTestsName() + "-"),
                "busbw of " + operation.label() + " by size."));
  }

  private Element judged() {
    List<PeerVerdict> verdicts =
        PeerVerdict.of(measured, subject.predictor(), OptionalDouble.empty());
    if (verdicts.isEmpty()) {
      return Element.paragraph("None was measured.");
    }
    return VerdictRow.COLUMNS.page(MeasuredSection.CAPTION, VerdictRow.of(forecast, verdicts));
  }
}
