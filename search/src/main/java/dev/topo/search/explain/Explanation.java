package dev.topo.search.explain;

import java.util.List;
import java.util.Objects;

/**
 * The answer to one question why.
 *
 * @param topic what it is about
 * @param sentences the answer, the most important first
 */
public record Explanation(String topic, List<String> sentences) {
  /** Copies the sentences. */
  public Explanation {
    Objects.requireNonNull(topic, "topic");
    sentences = List.copyOf(sentences);
  }

  /** The same answer, with what it is true of in its topic: {@code ring graph on dgx-h100}. */
  public Explanation on(String place) {
    return new Explanation(topic + " on " + place, sentences);
  }
}
