package dev.topo.visualizer.view;

import java.util.List;

/** The answers about the communicators of a split as one answer in their format. */
public final class SplitAnswer {
  private SplitAnswer() {}

  /**
   * The answer about a communicator, or about several equal ones.
   *
   * @param label their colours, as in {@code 0-3}; empty for a whole job
   */
  public record Part(String label, Answer answer) {}

  /**
   * One answer: a single part as it is; else one JSON document with an array, one CSV table with a
   * first column, or in other formats one part after the other.
   *
   * @param format of the parts
   * @param between what is between two parts of a text
   */
  public static Answer of(List<Part> parts, String format, String between) {
    if (parts.size() == 1) {
      return parts.get(0).answer();
    }
    return switch (format) {
      case "json" -> Json.split(parts);
      case "csv" -> Csv.split(parts);
      default -> Answer.join(parts.stream().map(Part::answer).toList(), between);
    };
  }
}
