package dev.topo.visualizer.report;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.PeerMeasurement;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.evaluate.NetworkPredictor.NetworkPart;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.verdict.PeerVerdict;
import dev.topo.visualizer.chart.Chart;
import dev.topo.visualizer.chart.PeerCharts;
import dev.topo.visualizer.view.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Predicted times of operations made of sends and receives, beside measured ones: a chart for each
 * operation with the range, and tables.
 */
final class PeerTimesSection {
  private final ReportSubject subject;
  private final List<PeerMeasurement> measured;

  private PeerTimesSection(ReportSubject subject) {
    this.subject = subject;
    this.measured =
        subject.measured().map(MeasuredRun::peers).orElseGet(List::of).stream()
            .filter(measurement -> subject.calls().peers().contains(measurement.operation()))
            .toList();
  }

  /** The section; empty where no such operation is shown, or no model covers it. */
  static Optional<Element> of(ReportSubject subject) {
    PeerTimesSection section = new PeerTimesSection(subject);
    List<PeerPrediction> predicted = section.predicted();
    return Optional.of(predicted)
        .filter(some -> !some.isEmpty())
        .map(
            some ->
                Element.section(
                        "peer-times",
                        "Sends and receives",
                        Element.of("p", "NCCL has no model of their times."))
                    .add(section.charts())
                    .add(section.table(some))
                    .add(section.judged()));
  }

  private List<PeerPrediction> predicted() {
    List<PeerPrediction> predicted = new ArrayList<>();
    for (PeerOperation operation : subject.calls().peers()) {
      for (long size : subject.calls().sizes()) {
        PeerPredictor.of(subject.predictor())
            .flatMap(known -> known.predict(operation, size, false))
            .ifPresent(predicted::add);
      }
    }
    return predicted;
  }

  private Element charts() {
    Optional<String> obstacle = ChartFigure.obstacle();
    if (obstacle.isPresent()) {
      return Element.of("p", "No charts: " + obstacle.get() + ".").as("note");
    }
    List<Element> figures = new ArrayList<>();
    for (PeerOperation operation : subject.calls().peers()) {
      Chart chart =
          PeerCharts.of(operation, measured, subject.predictor(), subject.calls().sizes()).busbw();
      figures.add(
          ChartFigure.of(
              chart,
              subject.id(operation.ncclTestsName() + "-"),
              "busbw of " + operation.label() + " by size."));
    }
    return Element.of("div", figures).as("charts");
  }

  private Element table(List<PeerPrediction> predicted) {
    DataTable table = new DataTable("Sends and receives by size, bandwidths in GB/s");
    table.texts("operation").numbers("size").texts("by").numbers("channels").numbers("time");
    table.numbers("range", "contains 90 of 100 measurements of the validation data");
    table.numbers("busbw", "GB/s").texts("limited by");
    for (PeerPrediction prediction : predicted) {
      table.row(
          prediction.operation().label(),
          DataTable.size(prediction.sizeBytes()),
          prediction.protocol().label(),
          prediction.channels(),
          DataTable.time(prediction.timeUs()),
          DataTable.number(prediction.range(), prediction.shortestUs().orElse(prediction.timeUs())),
          DataTable.bandwidth(prediction.busbwGBps()),
          prediction
              .network()
              .map(NetworkPart::label)
              .orElse(prediction.estimate().bottleneck().word()));
    }
    return table.element();
  }

  private Element judged() {
    List<PeerVerdict> verdicts =
        PeerVerdict.of(measured, subject.predictor(), OptionalDouble.empty());
    if (verdicts.isEmpty()) {
      return Element.of("p", "None was measured.");
    }
    DataTable table = new DataTable("Measured out of place, compared with the prediction");
    table.texts("operation").numbers("size").numbers("measured").numbers("predicted");
    table.numbers("slowdown").numbers("busbw GB/s").texts("verdict");
    for (PeerVerdict verdict : verdicts) {
      table.row(
          verdict.measurement().operation().label(),
          DataTable.size(verdict.measurement().sizeBytes()),
          DataTable.time(verdict.measurement().timeUs()),
          DataTable.time(verdict.prediction().timeUs()),
          DataTable.change(verdict.excess()),
          DataTable.bandwidth(verdict.measurement().busbwGBps()),
          verdict.verdict());
    }
    return table.element();
  }
}
