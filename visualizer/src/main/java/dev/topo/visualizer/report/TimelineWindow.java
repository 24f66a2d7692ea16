package dev.topo.visualizer.report;

import dev.topo.inspect.trace.RankTrace;
import dev.topo.simulator.workload.CallTimeline;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The calls in a drawing: those of some ranks in one step.
 *
 * @param title the name of the step
 * @param timeline the timeline with all calls
 * @param traces the traces of the ranks
 * @param part the number of the step, from 0
 * @param parts the number of steps
 * @param mostCalls the maximum number of calls shown for a rank, starting with the first
 */
record TimelineWindow(
    String title,
    CallTimeline timeline,
    List<RankTrace> traces,
    int part,
    int parts,
    int mostCalls) {
  /** The longest wait drawn before the first transfer, as a fraction of the time after it. */
  private static final double MAX_LEAD = 0.25;

  /** Copies the list. */
  TimelineWindow {
    traces = List.copyOf(traces);
  }

  /** The index of the first call that is shown. */
  int first(RankTrace trace) {
    return trace.size() / parts * part;
  }

  /** The index after the last call that is shown. */
  int end(RankTrace trace) {
    return first(trace) + Math.min(mostCalls, trace.size() / parts);
  }

  /** True if some calls of the step are omitted. */
  boolean isCut() {
    return traces.stream().anyMatch(trace -> trace.size() / parts > mostCalls);
  }

  /**
   * The time at the left edge of the drawing: the start of the first call, but at most a short lead
   * before the first call that all its ranks have entered, because the first call of a trace may
   * wait very long.
   */
  double startUs() {
    double joined =
        times((trace, call) -> timeline.startUs(trace, call) + timeline.waitUs(trace, call))
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    return Math.max(firstUs(), joined - MAX_LEAD * (endUs() - joined));
  }

  /** The wait before {@link #startUs()}, which is not drawn, in microseconds. */
  double cutUs() {
    return startUs() - firstUs();
  }

  /** The start of the first call. */
  private double firstUs() {
    return times(timeline::startUs).min().orElse(Double.POSITIVE_INFINITY);
  }

  /** The end of the last call. */
  double endUs() {
    return times((trace, call) -> timeline.startUs(trace, call) + trace.durationUs(call))
        .max()
        .orElse(Double.NEGATIVE_INFINITY);
  }

  /** Applies a function to each call that is shown. */
  private DoubleStream times(ToDoubleBiFunction<RankTrace, Integer> time) {
    return traces.stream()
        .flatMapToDouble(
            trace ->
                IntStream.range(first(trace), end(trace))
                    .mapToDouble(call -> time.applyAsDouble(trace, call)));
  }
}
