package dev.topo.simulator.variant;

import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Equal communicators of a job.
 *
 * @param colors the communicators of a split, in ascending order; empty for the whole job
 * @param value the value of each of them
 */
public record Communicators<T>(List<Integer> colors, T value) {
  /** Copies the list. */
  public Communicators {
    colors = List.copyOf(colors);
  }

  /** Their colours: {@code 0-3}; empty for the whole job. */
  String label() {
    return QuantityFormat.ranges(colors);
  }

  private boolean has(int color) {
    return colors.isEmpty() || colors.contains(color);
  }

  /** The colours of some communicators; none of a whole job. */
  static SortedSet<Integer> colors(List<? extends Communicators<?>> job) {
    SortedSet<Integer> colors = new TreeSet<>();
    job.forEach(some -> colors.addAll(some.colors()));
    return colors;
  }

  /**
   * The communicators of the first job in the order of their colours, grouped where they are equal
   * in every job, each with its value in every job; empty if a job has no such communicator.
   */
  static <T> List<Communicators<List<Optional<T>>>> alike(List<List<Communicators<T>>> jobs) {
    SortedSet<Integer> colors = colors(jobs.get(0));
    if (colors.isEmpty()) {
      return List.of(new Communicators<>(List.of(), values(jobs, places(jobs, 0))));
    }
    return Alike.by(colors, color -> places(jobs, color)).entrySet().stream()
        .map(some -> new Communicators<>(some.getValue(), values(jobs, some.getKey())))
        .toList();
  }

  /** The index of a communicator in each job; -1 if there is none. */
  private static <T> List<Integer> places(List<List<Communicators<T>>> jobs, int color) {
    return jobs.stream()
        .map(
            job ->
                IntStream.range(0, job.size())
                    .filter(place -> job.get(place).has(color))
                    .findFirst()
                    .orElse(-1))
        .toList();
  }

  private static <T> List<Optional<T>> values(
      List<List<Communicators<T>>> jobs, List<Integer> places) {
    return IntStream.range(0, places.size())
        .mapToObj(
            job ->
                places.get(job) < 0
                    ? Optional.<T>empty()
                    : Optional.of(jobs.get(job).get(places.get(job)).value))
        .toList();
  }
}
