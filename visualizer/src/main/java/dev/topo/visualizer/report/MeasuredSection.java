package dev.topo.visualizer.report;

import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.simulator.verdict.MeasurementVerdict;
import dev.topo.visualizer.times.VerdictRow;
import dev.topo.visualizer.view.Element;
import java.util.List;
import java.util.OptionalDouble;

/** The section with measured times next to predicted ones. */
final class MeasuredSection {
  /** The caption of a table of measurements. */
  static final String CAPTION = "Measured out of place, compared with the prediction";

  private MeasuredSection() {}

  /** The measurements of the job, compared as {@code topo predict --against} does. */
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

  static Element of(ReportSubject subject, List<MeasurementVerdict> judgements) {
    long launches = judgements.stream().filter(MeasurementVerdict::hasSlowLaunches).count();
    String why =
        " took longer to launch than on the calibrated host, which depends on the CPU and the GPUs per process.";
    String slowHost = launches == 0 ? "" : " " + launches + why;
    return Element.section(
        "measured",
        "Measured",
        Element.paragraph(sentence(judgements) + slowHost),
        VerdictRow.COLUMNS.page(CAPTION, VerdictRow.of(subject.forecast(List.of()), judgements)));
  }

  /** The number of measurements, and how many of them pass. */
  static String sentence(List<MeasurementVerdict> judgements) {
    boolean passed = judgements.stream().allMatch(MeasurementVerdict::passes);
    return "%s measurements: %s."
        .formatted(
            judgements.size(),
            passed ? "none is slower than tolerated" : MeasurementVerdict.summary(judgements));
  }
}
