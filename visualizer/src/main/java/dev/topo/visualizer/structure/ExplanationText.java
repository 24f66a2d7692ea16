package dev.topo.visualizer.structure;

import dev.topo.model.io.TextWriter;
import dev.topo.search.explain.Explanation;
import dev.topo.simulator.verdict.BoundReport;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Optional;

/**
 * Explanations as text and as JSON ({@code explanations[]} with {@code topic} and {@code
 * sentences[]}, for graphs that were found also {@code bound}; {@code bound} is that of the call).
 */
public final class ExplanationText {
  private static final Fields<Explanation> EXPLANATION =
      Fields.of(Explanation.class)
          .field("topic", Explanation::topic)
          .field("sentences", one -> one.sentences().stream().map(String::strip).toList())
          .field("bound", Explanation::bound);

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
        Fields.of(JobSummary.class)
            .field("job", all -> all)
            .list("explanations", all -> explanations, EXPLANATION)
            .field("bound", all -> bound),
        job);
  }
}
