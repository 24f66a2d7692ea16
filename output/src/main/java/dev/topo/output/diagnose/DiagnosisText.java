package dev.topo.output.diagnose;

import dev.topo.diagnose.Diagnosis;
import dev.topo.diagnose.cause.Cause;
import dev.topo.diagnose.cause.Evidence;
import dev.topo.model.text.TextWriter;
import dev.topo.output.Answer;

/** A diagnosis for people. */
public final class DiagnosisText {
  private static final int PERCENT = 100;

  private DiagnosisText() {}

  /** The diagnosis: verdict, what it rests on, causes with evidence and what would confirm them. */
  public static Answer of(Diagnosis diagnosis) {
    TextWriter out = new TextWriter();
    out.line("%s: %s", diagnosis.verdict().label(), diagnosis.summary());
    diagnosis.basis().forEach(line -> out.line("  %s", line));
    int rank = 0;
    for (Cause cause : diagnosis.causes()) {
      rank++;
      out.line("\n%d. %s: %s (%s)", rank, cause.kind().title(), cause.detail(), certainty(cause));
      for (Evidence evidence : cause.evidence()) {
        out.line("   evidence  %s: %s", evidence.place(), evidence.text());
      }
      cause.confirm().forEach(step -> out.line("   confirm   %s", step));
    }
    return Answer.of(out.toString());
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
