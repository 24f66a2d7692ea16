package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.verdict.RunVerdict;
import dev.topo.simulator.verdict.RunVerdict.Grade;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Verdicts on runs as text, JSON and CSV, the most urgent first in the text.
 *
 * @param forecast the job, for words about it
 * @param runs the verdicts; at least one
 * @param isVerbose whether the text shows all runs
 * @param reference options of {@code topo diagnose} for the same job
 */
public record CheckOutput(
    CommunicatorPredictions forecast, List<RunVerdict> runs, boolean isVerbose, String reference) {
  private static final int MAX_RUNS = 18;

  /** A run with one of its bands; without one if it has none. */
  private record Row(RunVerdict run, Optional<VerdictRow> band) {}

  private static final Fields<Row> ROW =
      Fields.of(Row.class)
          .column("file", row -> row.run.file())
          .column("run_verdict", row -> row.run.grade())
          .column("run_reason", row -> row.run.reason())
          .includingOptional(Row::band, VerdictRow.COLUMNS.fields());

  /** The answer in a format. */
  public Answer in(String format) {
    Answer answer =
        switch (format) {
          case "json" ->
              Json.document(
                  "check",
                  Fields.of(CheckOutput.class)
                      .field("job", all -> PredictionOutput.job(forecast))
                      .field("verdict", all -> Grade.of(runs))
                      .text("next", all -> next())
                      .list(
                          "runs",
                          CheckOutput::runs,
                          Fields.of(RunVerdict.class)
                              .components("file")
                              .field("verdict", RunVerdict::grade)
                              .text("reason", RunVerdict::reason)
                              .list("bands", this::rows, VerdictRow.COLUMNS.fields())),
                  this);
          case "csv" ->
              Csv.table(
                  "file,run_verdict,run_reason,collective,bytes,measured_us,measured_in_place_us,"
                      + "predicted_us,predicted_in_place_us,tolerance,verdict,reason",
                  ROW,
                  runs.stream()
                      .flatMap(
                          run ->
                              run.bands().isEmpty()
                                  ? Stream.of(new Row(run, Optional.empty()))
                                  : rows(run).stream()
                                      .map(band -> new Row(run, Optional.of(band)))));
          case "text" -> text();
          default -> new CheckLines(runs, this::sentence).in(format);
        };
    return answer.saying(
        runs.size() == 1
            ? sentence(first())
            : "%s of %s: %s"
                .formatted(
                    runs.stream().filter(run -> run.grade() == first().grade()).count(),
                    QuantityFormat.count(runs.size(), "run"),
                    sentence(first())));
  }

  private List<VerdictRow> rows(RunVerdict run) {
    return VerdictRow.of(forecast, run.bands());
  }

  private Stream<RunVerdict> urgentFirst() {
    return runs.stream().sorted(Comparator.comparing(RunVerdict::grade).reversed());
  }

  private RunVerdict first() {
    return urgentFirst().findFirst().orElseThrow();
  }

  private Answer text() {
    TextWriter out = new TextWriter();
    if (!first().bands().isEmpty()) {
      VerdictRow.COLUMNS.upTo(0).table(2, rows(first())).write(out);
    }
    urgentFirst()
        .skip(1)
        .limit(isVerbose ? runs.size() : MAX_RUNS)
        .forEach(run -> out.line("%s", sentence(run)));
    if (!next().isEmpty()) {
      out.line("next: %s", next());
    }
    return Answer.of(out);
  }

  private String sentence(RunVerdict run) {
    return "%s: %s"
        .formatted(
            run.grade().name().replace('_', ' '),
            run.reason().isEmpty()
                ? VerdictSentence.of(run.file(), forecast, run.bands())
                : run.reason().startsWith(run.file())
                    ? run.reason()
                    : run.file() + ": " + run.reason());
  }

  /** What to do next; empty where the verdict says it. */
  private String next() {
    return switch (first().grade()) {
      case SLOW -> "topo diagnose %s%s".formatted(first().file(), reference);
      case WRONG ->
          "look for Xid and ECC errors (dmesg, nvidia-smi -q -d ECC), repeat with other GPUs";
      case PASS, NOT_JUDGED -> "";
    };
  }
}
