package dev.topo.visualizer.study;

import dev.topo.model.Labels;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.search.tuning.TunerRule;
import dev.topo.simulator.diagnosis.Cause;
import dev.topo.simulator.diagnosis.Cliff;
import dev.topo.simulator.diagnosis.Cliff.Reason;
import dev.topo.simulator.diagnosis.CliffReport;
import dev.topo.simulator.diagnosis.Diagnosis;
import dev.topo.simulator.diagnosis.Health;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.BasisFooter;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.List;
import java.util.Set;

/** A diagnosis as text, JSON and CSV. */
public final class DiagnosisOutput {
  private static final String INDENT = " ".repeat(13);

  /** Verdicts whose summary says more than the one-sentence diagnosis. */
  private static final Set<Health> SHOWN_IN_FULL = Set.of(Health.TOO_FAST, Health.UNEXPLAINED);

  /** Number of lines of evidence, and of ways to confirm, shown for the first cause. */
  private static final int MAX_DETAILS = 3;

  private static final Fields<Cliff> CLIFF =
      Fields.of(Cliff.class)
          .components("collective", "ranks", "bytes", "timeUs")
          .field("reason", cliff -> cliff.reason().id())
          .field("algorithm", cliff -> cliff.pair().map(Pair::algorithm))
          .field("protocol", cliff -> cliff.pair().map(Pair::protocol))
          .components("insteadBytes", "insteadTimeUs")
          .field("lossPercent", Cliff::lossPercent)
          .field("noisePercent", Cliff::neededPercent);

  private static final Fields<Cause> CAUSE =
      Fields.of(Cause.class)
          .field("cause", cause -> cause.kind().id())
          .field("certainty", cause -> cause.certainty().label())
          .field("title", cause -> cause.kind().title())
          .components("detail", "share", "evidence", "confirm")
          .column(
              "evidence",
              cause ->
                  QuantityFormat.joined(
                      " | ",
                      cause.evidence(),
                      evidence -> evidence.place() + ": " + evidence.text()))
          .column("confirm", cause -> String.join(" | ", cause.confirm()));

  private DiagnosisOutput() {}

  /** The diagnosis as a JSON document. */
  public static Answer json(Diagnosis diagnosis, CliffReport cliffs) {
    return Json.document(
        "diagnose",
        Fields.of(Diagnosis.class)
            .field("verdict", all -> Labels.of(all.verdict()))
            .components("summary")
            .field("basis", all -> all.basis().stream().map(OptionWords::of).toList())
            .list("causes", Diagnosis::causes, CAUSE)
            .list("cliffs", all -> cliffs.cliffs(), CLIFF)
            .list("unconfirmedCliffs", all -> cliffs.unconfirmed(), CLIFF)
            .field("tunerRules", all -> cliffs.rules().stream().map(TunerRule::toString).toList()),
        diagnosis);
  }

  /** The causes as CSV, one row each, most likely first. */
  public static Answer csv(Diagnosis diagnosis) {
    List<Cause> causes = diagnosis.causes();
    return Csv.table(
        "rank,cause,certainty,share,detail,evidence,confirm",
        CAUSE.column("rank", cause -> causes.indexOf(cause) + 1),
        causes.stream());
  }

  /**
   * Returns the causes with their evidence and ways to confirm them, then the basis of the
   * diagnosis.
   *
   * @param isVerbose whether to show all causes in full instead of only the first
   */
  public static Answer of(Diagnosis diagnosis, CliffReport cliffs, boolean isVerbose) {
    TextWriter out = new TextWriter();
    if (isVerbose || SHOWN_IN_FULL.contains(diagnosis.verdict())) {
      out.line("%s: %s", diagnosis.verdict().label(), diagnosis.summary());
    }
    if (diagnosis.verdict() == Health.UNEXPLAINED) {
      out.line(
          "  next: %s has what is expected of each size; %s adds a log of the run (NCCL_DEBUG=INFO)",
          Hint.EXPECTED_TIMES, Hint.WITH_LOG);
    }
    int rank = 0;
    for (Cause cause : diagnosis.causes()) {
      rank++;
      out.add(out.isEmpty() ? "" : "\n")
          .line("%d. %s: %s (%s)", rank, cause.kind().title(), cause.detail(), certainty(cause));
      details(cause, isVerbose ? Integer.MAX_VALUE : rank == 1 ? MAX_DETAILS : 1, out);
    }
    if (!cliffs.cliffs().isEmpty()) {
      cliffs(cliffs, out);
    }
    if (!cliffs.unconfirmed().isEmpty()) {
      out.line(
          "\nnot counted, as single runs below 1 MiB differ by chance (give several runs to confirm): %s",
          QuantityFormat.joined(
              ", ",
              cliffs.unconfirmed(),
              cliff -> cliff.collective().label() + " of " + QuantityFormat.size(cliff.bytes())));
    }
    BasisFooter.write(out, diagnosis.basis().stream().map(OptionWords::of).toList(), isVerbose);
    return Answer.of(out.toString().stripLeading());
  }

  private static void details(Cause cause, int limit, TextWriter out) {
    cause.evidence().stream()
        .limit(limit)
        .forEach(
            evidence ->
                out.paragraph(
                    "   evidence  %s: %s".formatted(evidence.place(), evidence.text()), INDENT));
    cause.confirm().stream()
        .limit(limit)
        .forEach(step -> out.paragraph("   confirm   " + step, INDENT));
  }

  private static void cliffs(CliffReport report, TextWriter out) {
    out.line(
        "\nsizes at which NCCL's choice loses (noise %.1f %% below 1 MiB, %.1f %% above, from %s):",
        report.noisePercent().small(), report.noisePercent().large(), report.noiseOrigin());
    for (Cliff cliff : report.cliffs()) {
      out.line(
          "  %s of %s: %s us, %s%s %s us: %.0f %% lost",
          cliff.collective().label(),
          QuantityFormat.size(cliff.bytes()),
          TextWriter.format("%.1f", cliff.timeUs()),
          cliff.reason() == Reason.LARGER_IS_FASTER
              ? "but " + QuantityFormat.size(cliff.insteadBytes())
              : cliff.pair().map(Object::toString).orElse(""),
          cliff.reason() == Reason.OTHER_PAIR_OF_LARGER_IS_FASTER
              ? " of " + QuantityFormat.size(cliff.insteadBytes())
              : "",
          TextWriter.format("%.1f", cliff.insteadTimeUs()),
          cliff.lossPercent());
    }
    if (report.rules().isEmpty()) {
      out.line(
          "  what to run instead is not known: %s, or runs with NCCL_ALGO and NCCL_PROTO",
          Hint.STATED_MACHINE);
      return;
    }
    out.line("  fix, as first lines of a file of %s:", Hint.TUNER_FILE);
    report.rules().forEach(rule -> out.line("    %s", rule));
  }

  private static String certainty(Cause cause) {
    return cause.share().isPresent()
        ? TextWriter.format(
            "%s, %s %%", cause.certainty().label(), percent(cause.share().getAsDouble()))
        : cause.certainty().label();
  }

  /** The probability in percent; at most "over 99", because times alone prove nothing. */
  private static String percent(double share) {
    long rounded = Math.round(100 * share);
    return rounded >= 100 ? "over 99" : String.valueOf(rounded);
  }
}
