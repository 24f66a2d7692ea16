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
 * Explanations as text and as JSON: {@code explanations[]} with {@code topic}, {@code sentences[]}
 * and, for searched graphs, {@code bound}. The {@code bound} at the top level belongs to the call.
 */
public final class ExplanationOutput {
  /** The topic and the sentences of an explanation. */
  public static final Fields<Explanation> SENTENCES =
      Fields.of(Explanation.class)
          .components("topic")
          .field(
              "sentences",
              explanation -> explanation.sentences().stream().map(String::strip).toList());

  private static final Fields<Explanation> EXPLANATION =
      SENTENCES.field("bound", Explanation::bound);

  /** Screen lines for the topics; the rest of the screen holds the answer and the closing lines. */
  private static final int MAX_LINES = 33;

  private static final int MAX_SENTENCES = 10;
  private static final int MIN_SENTENCES = 1;

  private ExplanationOutput() {}

  /**
   * Returns each topic with its sentences below it.
   *
   * @param isVerbose whether to write all sentences instead of those that fit on a screen
   */
  public static Answer text(String title, List<Explanation> explanations, boolean isVerbose) {
    TextWriter out = new TextWriter().line("%s", title);
    if (isVerbose) {
      for (Explanation explanation : explanations) {
        out.line("\n%s", explanation.topic());
        explanation.sentences().forEach(sentence -> sentence(out, sentence));
      }
    } else {
      brief(out, explanations);
    }
    return Answer.of(out);
  }

  private static void brief(TextWriter out, List<Explanation> explanations) {
    List<Explanation> shown =
        explanations.stream().filter(explanation -> !isAbsence(explanation)).toList();
    int[] counts = fitting(shown);
    int leftOut = 0;
    for (int e = 0; e < counts.length; e++) {
      List<String> sentences = shown.get(e).sentences();
      int more = sentences.size() - counts[e];
      leftOut += more;
      out.line("\n%s%s", shown.get(e).topic(), more == 0 ? "" : " (%s more)".formatted(more));
      sentences.subList(0, counts[e]).forEach(one -> sentence(out, one));
    }
    String absent =
        explanations.stream()
            .filter(explanation -> !shown.contains(explanation))
            .map(Explanation::topic)
            .collect(Collectors.joining(", "));
    if (!absent.isEmpty()) {
      out.line("\nNCCL does not look for: %s", absent);
    }
    if (leftOut > 0 || !absent.isEmpty()) {
      out.line("%s%s", leftOut > 0 ? "%s sentences more: ".formatted(leftOut) : "", Hint.LISTS_ALL);
    }
  }

  /** Writes a sentence; its continuation lines are indented deeper than the items of a list. */
  private static void sentence(TextWriter out, String sentence) {
    int depth = sentence.length() - sentence.stripLeading().length();
    out.paragraph("  " + sentence, " ".repeat(depth + 6));
  }

  /** True if the only sentence says that NCCL does not look for this graph. */
  private static boolean isAbsence(Explanation explanation) {
    return explanation.sentences().size() == 1
        && explanation.sentences().get(0).strip().startsWith("NCCL does not look for");
  }

  /** How many sentences of each topic fit on a screen: one of each topic, then more, in order. */
  private static int[] fitting(List<Explanation> explanations) {
    int[] counts =
        explanations.stream()
            .mapToInt(explanation -> Math.min(explanation.sentences().size(), MIN_SENTENCES))
            .toArray();
    for (int e = 0; e < counts.length; e++) {
      int wanted = Math.min(explanations.get(e).sentences().size(), MAX_SENTENCES);
      while (counts[e] < wanted && lines(explanations, counts) < MAX_LINES) {
        counts[e]++;
      }
    }
    return counts;
  }

  /**
   * The number of screen lines: for each topic a blank line, the title and its wrapped sentences.
   */
  private static int lines(List<Explanation> explanations, int[] counts) {
    return IntStream.range(0, counts.length)
        .map(
            e ->
                2
                    + explanations.get(e).sentences().subList(0, counts[e]).stream()
                        .mapToInt(sentence -> 1 + (sentence.length() + 2) / TextWriter.WIDTH)
                        .sum())
        .sum();
  }

  /** The explanations as a JSON document. */
  public static Answer json(
      JobSummary job, List<Explanation> explanations, Optional<BoundReport> bound) {
    return Json.document(
        "explain",
        Fields.of(JobSummary.class)
            .field("job", summary -> summary)
            .list("explanations", summary -> explanations, EXPLANATION)
            .field("bound", summary -> bound),
        job);
  }
}
