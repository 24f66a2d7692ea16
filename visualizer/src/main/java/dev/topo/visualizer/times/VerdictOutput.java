package dev.topo.visualizer.times;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.model.Alike;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.verdict.JudgedRun;
import dev.topo.simulator.verdict.MeasurementVerdict;
import dev.topo.simulator.verdict.PeerVerdict;
import dev.topo.simulator.verdict.Verdict;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Measured next to predicted times as JSON, CSV and text. The text shows those nearest their
 * tolerance; the verbose text shows all of them, all columns and caveats, and how many pass.
 */
final class VerdictOutput {
  /** Number of rows in all tables together. */
  private static final int MAX_ROWS = 18;

  private VerdictOutput() {}

  /** Returns the verdicts as JSON. */
  static Answer json(JudgedRun run, List<Caveat> caveats) {
    return Json.document(
        "predict-against",
        caveats.stream().map(OptionWords::of).toList(),
        Fields.of(CommunicatorPredictions.class)
            .field("job", PredictionOutput::job)
            .including(Function.identity(), PredictionOutput.BASIS)
            .caveats(CommunicatorPredictions::caveats)
            .field("file", forecast -> run.file())
            .list(
                "verdicts",
                forecast -> VerdictRow.of(forecast, run.all()),
                VerdictRow.COLUMNS.fields()),
        run.forecast());
  }

  /** Returns the verdicts as CSV with a header. */
  static Answer csv(JudgedRun run, List<Caveat> caveats) {
    return VerdictRow.COLUMNS.csv(
        Stream.concat(caveats.stream().map(OptionWords::of), run.forecast().caveats().stream())
            .toList(),
        VerdictRow.of(run.forecast(), run.all()).stream());
  }

  /** Returns the verdicts as text, those on collectives first. */
  static Answer of(JudgedRun run, boolean isVerbose) {
    CommunicatorPredictions forecast = run.forecast();
    List<Verdict> verdicts = run.all();
    TextWriter out = new TextWriter().line("%s", PredictionText.subject(forecast));
    PredictionText.calibration(forecast, isVerbose, out);
    if (isVerbose) {
      summary(run, out);
    }
    BasisLines basis = new BasisLines();
    verdicts.forEach(verdict -> basis.add(verdict.prediction()));
    Set<Verdict> shown = new HashSet<>(isVerbose ? verdicts : worst(verdicts));
    Columns<VerdictRow> columns =
        VerdictRow.COLUMNS.without("operation").upTo(isVerbose ? Columns.VERBOSE : 0);
    Alike.by(
            verdicts.stream().filter(shown::contains).toList(),
            verdict -> verdict.prediction().operation())
        .forEach(
            (operation, some) -> {
              out.line("\n%s", operation.label());
              columns.table(1, VerdictRow.of(forecast, some)).write(out);
            });
    if (shown.size() < verdicts.size()) {
      out.line(
          "\nthe %d of %d nearest their tolerance; -v shows all", shown.size(), verdicts.size());
    }
    basis.write(out, isVerbose ? forecast.caveats() : forecast.limits(), isVerbose);
    long launches = run.collectives().stream().filter(MeasurementVerdict::hasSlowLaunches).count();
    if (launches > 0) {
      out.line(
          "%d took longer to launch than on the calibrated host, which depends on the CPU",
          launches);
    }
    return Answer.of(out);
  }

  private static void summary(JudgedRun run, TextWriter out) {
    if (!run.collectives().isEmpty()) {
      out.line("%s: %s", run.file(), MeasurementVerdict.summary(run.collectives()));
    }
    if (!run.peers().isEmpty()) {
      long passed = run.peers().stream().filter(PeerVerdict::passes).count();
      out.line("%s: %d of %d sends and receives PASS", run.file(), passed, run.peers().size());
    }
  }

  /** The verdicts to show: failures first, then those nearest their tolerance. */
  private static List<Verdict> worst(List<Verdict> verdicts) {
    return verdicts.stream()
        .sorted(
            Comparator.<Verdict, Boolean>comparing(Verdict::passes)
                .thenComparing(Comparator.comparingDouble(Verdict::partOfTolerance).reversed()))
        .limit(MAX_ROWS)
        .toList();
  }
}
