package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.diagnosis.Cause;
import dev.topo.simulator.diagnosis.Cliff;
import dev.topo.simulator.diagnosis.CliffReport;
import dev.topo.simulator.diagnosis.Diagnosis;
import dev.topo.simulator.diagnosis.Evidence;
import dev.topo.simulator.diagnosis.Health;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.OptionWords;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.stream.Collectors;

/** A diagnosis for people. */
public final class DiagnosisText {
  private static final int PERCENT = 100;

  private DiagnosisText() {}

  /** The diagnosis: verdict, what it rests on, causes with evidence and what would confirm them. */
  public static Answer of(Diagnosis diagnosis, CliffReport cliffs) {
    TextWriter out = new TextWriter();
    out.line("%s: %s", diagnosis.verdict().label(), diagnosis.summary());
    diagnosis.basis().forEach(line -> out.line("  %s", OptionWords.of(line)));
    if (diagnosis.verdict() == Health.UNEXPLAINED) {
      out.line(
          "  next: %s has what is expected of each size; %s adds a log of the run (NCCL_DEBUG=INFO)",
          Hint.EXPECTED_TIMES, Hint.WITH_LOG);
    }
    int rank = 0;
    for (Cause cause : diagnosis.causes()) {
      rank++;
      out.line("\n%d. %s: %s (%s)", rank, cause.kind().title(), cause.detail(), certainty(cause));
      for (Evidence evidence : cause.evidence()) {
        out.line("   evidence  %s: %s", evidence.place(), evidence.text());
      }
      cause.confirm().forEach(step -> out.line("   confirm   %s", step));
    }
    if (!cliffs.cliffs().isEmpty()) {
      cliffs(cliffs, out);
    }
    if (!cliffs.unconfirmed().isEmpty()) {
      out.line(
          "\nnot counted, as single runs below 1 MiB differ by chance (give several runs to confirm): %s",
          cliffs.unconfirmed().stream()
              .map(
                  cliff -> cliff.collective().label() + " of " + QuantityFormat.size(cliff.bytes()))
              .collect(Collectors.joining(", ")));
    }
    return Answer.of(out.toString());
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
          cliff.reason() == Cliff.Reason.LARGER_IS_FASTER
              ? "but " + QuantityFormat.size(cliff.insteadBytes())
              : cliff.pair().map(Object::toString).orElse(""),
          cliff.reason() == Cliff.Reason.OTHER_PAIR_OF_LARGER_IS_FASTER
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

  /** Nothing is certain by times alone. */
  private static String percent(double share) {
    long rounded = Math.round(PERCENT * share);
    return rounded >= PERCENT ? "over 99" : String.valueOf(rounded);
  }
}
