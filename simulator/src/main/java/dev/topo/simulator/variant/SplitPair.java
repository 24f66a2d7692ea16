package dev.topo.simulator.variant;

import dev.topo.model.io.SpecField;
import dev.topo.model.job.SpecException;
import dev.topo.simulator.evaluate.JobPart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Communicators of a split that are equal before a change, and equal after it. Which communicators
 * are equal may depend on the release, as rules decide what a machine has: they are paired by their
 * colours.
 *
 * @param before what they are before
 * @param after what they are after it, with the same colours
 */
public record SplitPair(JobPart before, JobPart after) {
  /**
   * The pairs, in the order of their first colours.
   *
   * @throws SpecException if a communicator is in one of the splits only
   */
  public static List<SplitPair> of(List<JobPart> before, List<JobPart> after) {
    SortedMap<Integer, JobPart> old = byColor(before);
    SortedMap<Integer, JobPart> now = byColor(after);
    if (!old.keySet().equals(now.keySet())) {
      throw new SpecException(
          SpecField.SPLIT,
          ": communicators %s before, %s after: expected the same",
          old.keySet(),
          now.keySet());
    }
    Map<SplitPair, List<Integer>> alike = new LinkedHashMap<>();
    now.forEach(
        (color, part) ->
            alike
                .computeIfAbsent(
                    new SplitPair(old.getOrDefault(color, part), part), pair -> new ArrayList<>())
                .add(color));
    return alike.entrySet().stream()
        .map(
            entry ->
                new SplitPair(
                    of(entry.getKey().before(), entry.getValue()),
                    of(entry.getKey().after(), entry.getValue())))
        .toList();
  }

  private static SortedMap<Integer, JobPart> byColor(List<JobPart> parts) {
    SortedMap<Integer, JobPart> byColor = new TreeMap<>();
    parts.forEach(part -> part.colors().forEach(color -> byColor.put(color, part)));
    return byColor;
  }

  /** Some of the equal communicators of a part. */
  private static JobPart of(JobPart part, List<Integer> colors) {
    return new JobPart(
        colors,
        part.files(),
        part.job(),
        part.domains(),
        part.whole(),
        colors.stream().map(color -> part.places().get(part.colors().indexOf(color))).toList());
  }
}
