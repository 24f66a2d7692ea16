package dev.topo.inspect.trace;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Set of disjoint time intervals in ascending order, in microseconds. */
public final class Intervals {
  private static final int INITIAL_CAPACITY = 64;

  private double[] starts = new double[INITIAL_CAPACITY];
  private double[] ends = new double[INITIAL_CAPACITY];
  private int size;
  private boolean isMerged = true;

  /** Adds an interval; intervals may come in any order and overlap. */
  void add(double start, double end) {
    if (size > 0 && isMerged && start >= starts[size - 1] && start <= ends[size - 1]) {
      ends[size - 1] = Math.max(ends[size - 1], end);
      return;
    }
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, 2 * size);
      ends = Arrays.copyOf(ends, 2 * size);
    }
    isMerged &= size == 0 || start > ends[size - 1];
    starts[size] = start;
    ends[size++] = end;
  }

  /** The indexes of the first values, by value; those of equal values in ascending order. */
  static int[] order(double[] values, int size) {
    IntStream indexes = IntStream.range(0, size);
    if (IntStream.range(1, size).allMatch(i -> values[i - 1] <= values[i])) {
      return indexes.toArray(); // most traces are in order, and have millions of calls
    }
    return indexes
        .boxed()
        .sorted(Comparator.comparingDouble(i -> values[i]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private void merge() {
    if (isMerged) {
      return;
    }
    int[] order = order(starts, size);
    double[] mergedStarts = new double[size];
    double[] mergedEnds = new double[size];
    int merged = 0;
    for (int at : order) {
      if (merged > 0 && starts[at] <= mergedEnds[merged - 1]) {
        mergedEnds[merged - 1] = Math.max(mergedEnds[merged - 1], ends[at]);
      } else {
        mergedStarts[merged] = starts[at];
        mergedEnds[merged++] = ends[at];
      }
    }
    starts = mergedStarts;
    ends = mergedEnds;
    size = merged;
    isMerged = true;
  }

  /** Total duration of the intervals, in microseconds. */
  double total() {
    merge();
    double total = 0;
    for (int i = 0; i < size; i++) {
      total += ends[i] - starts[i];
    }
    return total;
  }

  /** Total duration of the intervals between two times, in microseconds. */
  public double covered(double start, double end) {
    double[] covered = {0};
    within(start, end, (from, to) -> covered[0] += to - from);
    return covered[0];
  }

  /** Intersection with other intervals. */
  Intervals intersection(Intervals others) {
    merge();
    others.merge();
    Intervals both = new Intervals();
    int other = 0;
    for (int i = 0; i < size; i++) {
      while (other < others.size && others.ends[other] <= starts[i]) {
        other++;
      }
      // The last of the others may also overlap the next interval of this set.
      for (int at = other; at < others.size && others.starts[at] < ends[i]; at++) {
        double from = Math.max(starts[i], others.starts[at]);
        double to = Math.min(ends[i], others.ends[at]);
        if (to > from) {
          both.add(from, to);
        }
      }
    }
    return both;
  }

  /** Number of disjoint intervals. */
  int size() {
    merge();
    return size;
  }

  /** Passes the parts of the intervals that lie between two times to a consumer. */
  public void within(double start, double end, PartConsumer consumer) {
    merge();
    int at = Arrays.binarySearch(starts, 0, size, start);
    at = at < 0 ? Math.max(0, -at - 2) : at;
    for (; at < size && starts[at] < end; at++) {
      double from = Math.max(start, starts[at]);
      double to = Math.min(end, ends[at]);
      if (to > from) {
        consumer.accept(from, to);
      }
    }
  }

  /** Receives parts of intervals. */
  @FunctionalInterface
  public interface PartConsumer {
    /** Receives the part from a start to an end. */
    void accept(double start, double end);
  }
}
