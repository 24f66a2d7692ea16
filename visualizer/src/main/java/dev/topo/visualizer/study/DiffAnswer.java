package dev.topo.visualizer.study;

import dev.topo.simulator.variant.DiffResult;
import dev.topo.simulator.variant.FleetResult;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.SplitAnswer;
import java.util.Map;
import java.util.function.Function;

/**
 * Differences of machines as text or JSON, for the communicators of a job by their labels.
 *
 * @param format its name
 * @param isVerbose whether a text has all changes of each difference
 */
public record DiffAnswer(String format, boolean isVerbose) {
  /** Two machines. */
  public Answer ofPair(Map<String, DiffResult> results) {
    return of(
        results,
        result ->
            (format.equals("text")
                    ? Answer.of(DiffText.of(result, isVerbose))
                    : DiffJson.of(result))
                .saying(DiffHeadline.of(result)));
  }

  /** A fleet. */
  public Answer ofFleet(Map<String, FleetResult> results) {
    return of(
        results,
        result ->
            (format.equals("text") ? Answer.of(DiffText.of(result)) : DiffJson.of(result))
                .saying(DiffHeadline.of(result)));
  }

  private <T> Answer of(Map<String, T> results, Function<T, Answer> view) {
    return SplitAnswer.of(
        results.entrySet().stream()
            .map(entry -> new SplitAnswer.Part(entry.getKey(), view.apply(entry.getValue())))
            .toList(),
        format,
        isVerbose);
  }
}
