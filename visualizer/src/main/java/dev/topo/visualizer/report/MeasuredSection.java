package dev.topo.visualizer.report;

import dev.topo.inspect.measured.Measurement;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.simulator.verdict.MeasurementVerdict;
import dev.topo.visualizer.view.Element;
import java.util.List;
import java.util.OptionalDouble;

/** Measured times beside predicted ones. */
final class MeasuredSection {
  private MeasuredSection() {}

  /** The measurements of the job, judged as {@code topo predict --against} does. */
  static List<MeasurementVerdict> judgements(ReportSubject subject) {
    return subject
        .measured()
        .map(
            run ->
                MeasurementVerdict.of(
                    run.only(
                        measurement ->
                            subject.calls().collectives().contains(measurement.collective())),
                    measurement ->
                        CollectiveCall.of(measurement.collective(), measurement.sizeBytes()),
                    subject.predictor(),
                    OptionalDouble.empty()))
        .orElseGet(List::of);
  }

  static Element of(List<MeasurementVerdict> judgements) {
    DataTable table = new DataTable("Measured out of place, compared with the prediction");
    table.texts("collective").numbers("size").texts("by").numbers("measured").numbers("predicted");
    table.numbers("slowdown").numbers("in place").numbers("busbw GB/s").texts("verdict");
    for (MeasurementVerdict judgement : judgements) {
      Measurement measurement = judgement.measurement();
      table.row(
          measurement.collective().label(),
          DataTable.size(measurement.sizeBytes()),
          PredictionsSection.pair(judgement.prediction())
              + (measurement.forced().isPresent() ? " forced" : ""),
          DataTable.time(measurement.timeUs()),
          DataTable.time(judgement.prediction().timeUs()),
          DataTable.change(judgement.excess()),
          DataTable.change(judgement.excessInPlace()),
          DataTable.bandwidth(measurement.busbwGBps()),
          judgement.verdict());
    }
    long launches = judgements.stream().filter(MeasurementVerdict::hasSlowLaunches).count();
    String why =
        " took longer to launch than on the calibrated host, which depends on the CPU and the GPUs per process.";
    String slowHost = launches == 0 ? "" : " " + launches + why;
    return Element.section(
        "measured", "Measured", Element.of("p", sentence(judgements) + slowHost), table.element());
  }

  private static String sentence(List<MeasurementVerdict> judgements) {
    return judgements.stream().allMatch(MeasurementVerdict::passes)
        ? "All %s measurements are as fast as predicted.".formatted(judgements.size())
        : MeasurementVerdict.summary(judgements) + ".";
  }
}
