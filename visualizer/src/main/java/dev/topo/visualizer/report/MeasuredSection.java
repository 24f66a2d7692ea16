package dev.topo.visualizer.report;

import dev.topo.model.QuantityWords;
import dev.topo.simulator.accuracy.Judgement;
import dev.topo.simulator.calibration.Measurement;
import dev.topo.simulator.measured.MeasuredRun;
import dev.topo.visualizer.html.DataTable;
import dev.topo.visualizer.html.Element;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Measured times beside predicted ones. */
final class MeasuredSection {
  private MeasuredSection() {}

  /** The measurements of the job, judged as {@code topo predict --against} does. */
  static List<Judgement> judgements(ReportSubject subject) {
    List<Measurement> ofJob =
        subject.measured().map(MeasuredRun::measurements).orElseGet(List::of).stream()
            .filter(m -> m.nGpus() == subject.nRanks() && m.channels().isEmpty())
            .toList();
    return Judgement.of(
        ofJob, subject.calls().collectives(), subject.predictor(), OptionalDouble.empty());
  }

  static Element of(List<Judgement> judgements) {
    DataTable table = new DataTable("Measured out of place, beside what is predicted for it");
    table.texts("collective").numbers("size").texts("by").numbers("measured").numbers("predicted");
    table.numbers("longer by").numbers("busbw GB/s").texts("verdict");
    for (Judgement judgement : judgements) {
      Measurement measurement = judgement.measurement();
      table.row(
          DataTable.text(measurement.collective().label()),
          DataTable.number(QuantityWords.size(measurement.sizeBytes()), measurement.sizeBytes()),
          DataTable.text(
              PredictionsSection.pair(judgement.prediction())
                  + (measurement.forced().isPresent() ? " forced" : "")),
          PredictionsSection.time(measurement.timeUs()),
          PredictionsSection.time(judgement.prediction().timeUs()),
          DataTable.number(
              String.format(Locale.ROOT, "%+.1f %%", 100 * judgement.excess()), judgement.excess()),
          PredictionsSection.bandwidth(measurement.busbwGBps()),
          DataTable.text(judgement.passes() ? "PASS" : "FAIL"));
    }
    long failed = judgements.stream().filter(judgement -> !judgement.passes()).count();
    long launches = judgements.stream().filter(Judgement::hasSlowLaunches).count();
    String slowHost =
        launches == 0
            ? ""
            : " "
                + launches
                + " took longer to launch than where it was calibrated, a matter of this host's CPU and of GPUs per process.";
    return Element.of(
            "section",
            Element.of("h2", "Measured"),
            Element.of(
                "p",
                (failed == 0
                        ? "All " + judgements.size() + " measurements are as fast as predicted."
                        : failed
                            + " of "
                            + judgements.size()
                            + " measurements took longer than predicted by more than twice what predictions are off by.")
                    + slowHost),
            table.element())
        .with("id", "measured");
  }
}
