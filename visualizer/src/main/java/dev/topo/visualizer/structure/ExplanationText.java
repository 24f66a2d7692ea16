package dev.topo.visualizer.structure;

import dev.topo.model.io.TextWriter;
import dev.topo.search.explain.Explanation;
import dev.topo.simulator.verdict.BoundReport;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Optional;

/**
 * Explanations as text and as JSON ({@code explanations[]} with {@code topic} and {@code
 * sentences[]}, for graphs that were found also {@code bound}; {@code bound} is that of the call).
 */
public final class ExplanationText {
  private record Explain(
      JobSummary job, List<Explanation> explanations, Optional<BoundReport> bound) {}

  private ExplanationText() {}

  /** Each topic with its sentences below. */
  public static Answer text(String title, List<Explanation> explanations) {
    TextWriter out = new TextWriter().line("%s", title);
    for (Explanation explanation : explanations) {
      out.line("\n%s", explanation.topic()).lines("  ", explanation.sentences());
    }
    return Answer.of(out.toString());
  }

  /** The same as data. */
  public static Answer json(
      JobSummary job, List<Explanation> explanations, Optional<BoundReport> bound) {
    return Json.document(
        "explain",
        new Explain(
            job,
            explanations.stream()
                .map(
                    one ->
                        new Explanation(
                            one.topic(),
                            one.sentences().stream().map(String::strip).toList(),
                            one.bound()))
                .toList(),
            bound));
  }
}
