package dev.topo.visualizer.structure;

import dev.topo.model.io.TextWriter;
import dev.topo.search.explain.Explanation;
import dev.topo.simulator.verdict.BoundReport;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

  private static final int MOST_LINES = 34;
  private static final int MOST_SENTENCES = 10;
  private static final int LEAST_SENTENCES = 1;

  private ExplanationText() {}

  /**
   * Each topic with its sentences below.
   *
   * @param all whether to write all of them, and not what fits on a screen
   */
  public static Answer text(String title, List<Explanation> explanations, boolean all) {
    TextWriter out = new TextWriter().line("%s", title);
    List<Explanation> shown = explanations.stream().filter(one -> all || !isAbsence(one)).toList();
    int[] counts = all ? sizes(shown) : fitting(shown);
    for (int e = 0; e < counts.length; e++) {
      List<String> sentences = shown.get(e).sentences();
      out.line("\n%s", shown.get(e).topic()).lines("  ", sentences.subList(0, counts[e]));
      if (counts[e] < sentences.size()) {
        out.line("  … and %d more (%s)", sentences.size() - counts[e], Hint.LISTS_ALL);
      }
    }
    String absent =
        explanations.stream()
            .filter(one -> !shown.contains(one))
            .map(Explanation::topic)
            .collect(Collectors.joining(", "));
    if (!absent.isEmpty()) {
      out.line("\nNCCL does not look for: %s (%s)", absent, Hint.LISTS_ALL);
    }
    return Answer.of(out.toString());
  }

  /** Whether all that is said is that NCCL does not look for a graph. */
  private static boolean isAbsence(Explanation explanation) {
    return explanation.sentences().size() == 1
        && explanation.sentences().get(0).strip().startsWith("NCCL does not look for");
  }

  private static int[] sizes(List<Explanation> explanations) {
    return explanations.stream().mapToInt(one -> one.sentences().size()).toArray();
  }

  /** How many sentences of each topic fit on a screen: a few of each, and more of the first. */
  private static int[] fitting(List<Explanation> explanations) {
    int[] sizes = sizes(explanations);
    int[] counts = IntStream.of(sizes).map(size -> Math.min(size, LEAST_SENTENCES)).toArray();
    for (int e = 0; e < sizes.length; e++) {
      int wanted = Math.min(sizes[e], MOST_SENTENCES);
      while (counts[e] < wanted && lines(sizes, counts) < MOST_LINES) {
        counts[e]++;
      }
    }
    return counts;
  }

  /** Lines with an empty one, the topic, and one that counts what is left out. */
  private static int lines(int[] sizes, int[] counts) {
    return IntStream.range(0, sizes.length)
        .map(e -> 2 + counts[e] + (counts[e] < sizes[e] ? 1 : 0))
        .sum();
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
