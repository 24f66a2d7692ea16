package dev.topo.visualizer.report;

import dev.topo.inspect.trace.RankTrace;
import dev.topo.simulator.workload.CallTimeline;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The calls that a drawing shows: those of some ranks in one step.
 *
 * @param title the name of the step
 * @param timeline all calls
 * @param traces the ranks
 * @param part the number of the step, from 0
 * @param parts number of steps
 * @param mostCalls the most calls of a rank that are shown, beginning with the first
 */
record TimelineWindow(
    String title,
    CallTimeline timeline,
    List<RankTrace> traces,
    int part,
    int parts,
    int mostCalls) {
  /** The longest waiting drawn before the first transfer, as a part of the time after it. */
  private static final double LONGEST_LEAD = 0.25;

  /** Copies the list. */
  TimelineWindow {
    traces = List.copyOf(traces);
  }

  int first(RankTrace trace) {
    return trace.size() / parts * part;
  }

  /** The call after the last one that is shown. */
  int end(RankTrace trace) {
    return first(trace) + Math.min(mostCalls, trace.size() / parts);
  }

  /** True if calls of the step are left out. */
  boolean isCut() {
    return traces.stream().anyMatch(trace -> trace.size() / parts > mostCalls);
  }

  /**
   * The left edge of the drawing: the first start of a call, but not long before the first call
   * that all its ranks have entered, as the first call of a trace may wait very long.
   */
  double startUs() {
    double joined =
        times((trace, call) -> timeline.startUs(trace, call) + timeline.waitUs(trace, call))
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    return Math.max(firstUs(), joined - LONGEST_LEAD * (endUs() - joined));
  }

  /** Waiting before {@link #startUs()}, which is not drawn. */
  double cutUs() {
    return startUs() - firstUs();
  }

  /** The first start of a call. */
  private double firstUs() {
    return times(timeline::startUs).min().orElse(Double.POSITIVE_INFINITY);
  }

  /** The last end of a call. */
  double endUs() {
    return times((trace, call) -> timeline.startUs(trace, call) + trace.durationUs(call))
        .max()
        .orElse(Double.NEGATIVE_INFINITY);
  }

  /** A time of each shown call. */
  private DoubleStream times(ToDoubleBiFunction<RankTrace, Integer> time) {
    return traces.stream()
        .flatMapToDouble(
            trace ->
                IntStream.range(first(trace), end(trace))
                    .mapToDouble(call -> time.applyAsDouble(trace, call)));
  }
}
