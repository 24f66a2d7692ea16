package dev.topo.search.explain;

import java.util.List;
import java.util.Optional;

/**
 * The explanation of one topic.
 *
 * @param topic the subject
 * @param sentences the explanation, most important sentence first
 * @param bound the bound of the graph, if the topic is a graph found by the search
 */
public record Explanation(String topic, List<String> sentences, Optional<ExplainedBound> bound) {
  public Explanation {
    sentences = List.copyOf(sentences);
  }

  Explanation(String topic, List<String> sentences) {
    this(topic, sentences, Optional.empty());
  }

  /** This explanation with a place added to its topic: {@code ring graph on dgx-h100}. */
  public Explanation on(String place) {
    return new Explanation(topic + " on " + place, sentences, bound);
  }
}
