package dev.topo.cli.output.graph;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Json;
import dev.topo.search.explain.ExplainedBound;
import dev.topo.search.explain.Explanation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Explanations as text and as JSON ({@code explanations[]} with {@code topic} and {@code
 * sentences[]}, for graphs that were found also {@code bound}).
 */
public final class ExplanationText {
  private ExplanationText() {}

  /** Each topic with its sentences below. */
  public static Answer text(String title, List<Explanation> explanations) {
    StringBuilder out = new StringBuilder(title).append('\n');
    for (Explanation explanation : explanations) {
      out.append('\n').append(explanation.topic()).append('\n');
      explanation.sentences().forEach(sentence -> out.append("  ").append(sentence).append('\n'));
    }
    return Answer.of(out.toString());
  }

  /** The same as data. */
  public static Answer json(String title, List<Explanation> explanations) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("machines", title);
    tree.put(
        "explanations",
        explanations.stream()
            .map(
                explanation -> {
                  Map<String, Object> entry = new LinkedHashMap<>();
                  entry.put("topic", explanation.topic());
                  entry.put(
                      "sentences", explanation.sentences().stream().map(String::strip).toList());
                  explanation.bound().ifPresent(bound -> entry.put("bound", json(bound)));
                  return entry;
                })
            .toList());
    return Answer.of(Json.write(tree));
  }

  private static Map<String, Object> json(ExplainedBound bound) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("bandwidthGBps", Json.number(bound.bandwidthGBps()));
    tree.put("usedGBps", Json.number(bound.usedGBps()));
    tree.put("cut", bound.cut().stream().map(ExplanationText::json).toList());
    return tree;
  }

  private static Map<String, Object> json(ExplainedBound.CutLink link) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("from", link.from());
    tree.put("to", link.to());
    tree.put("type", link.type().name());
    tree.put("bwGBps", Json.number(link.bwGBps()));
    return tree;
  }
}
