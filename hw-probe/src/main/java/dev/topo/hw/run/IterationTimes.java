package dev.topo.hw.run;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Times of a call in each iteration of a size, in µs; empty if not measured.
 *
 * @param processesUs times of each process on its slowest GPU
 */
public record IterationTimes(List<List<Double>> processesUs) {
  /** No measured times. */
  public static final IterationTimes NONE = new IterationTimes(List.of());

  private static final String SEPARATOR = " ";

  public IterationTimes {
    processesUs = processesUs.stream().map(List::copyOf).toList();
  }

  /**
   * Message of a process to the others.
   *
   * @param threadsUs times of each of its threads
   */
  static String text(double[][] threadsUs) {
    return IntStream.range(0, threadsUs[0].length)
        .mapToDouble(i -> Arrays.stream(threadsUs).mapToDouble(times -> times[i]).max().orElse(0))
        .mapToObj(Double::toString)
        .collect(Collectors.joining(SEPARATOR));
  }

  static IterationTimes parse(List<String> processes) {
    return new IterationTimes(
        processes.stream()
            .map(text -> Arrays.stream(text.split(SEPARATOR)).map(Double::valueOf).toList())
            .toList());
  }

  public boolean areMeasured() {
    return !processesUs.isEmpty();
  }

  /** Times of the slowest GPU of all processes, without the first {@code skipped} iterations. */
  public List<Double> longestUs(int skipped) {
    return IntStream.range(skipped, processesUs.get(0).size())
        .mapToObj(i -> Collections.max(processesUs.stream().map(times -> times.get(i)).toList()))
        .toList();
  }
}
