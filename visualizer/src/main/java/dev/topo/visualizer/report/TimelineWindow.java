package dev.topo.visualizer.report;

import dev.topo.inspect.trace.RankTrace;
import dev.topo.simulator.workload.CallTimeline;
import java.util.List;

/**
 * The part of some ranks' calls that a drawing shows: of each rank those of one step.
 *
 * @param title what it shows
 * @param timeline all calls
 * @param traces the ranks
 * @param part the number of the step, from 0
 * @param parts number of steps
 * @param mostCalls calls of a rank that are shown at most, the first ones
 */
record TimelineWindow(
    String title,
    CallTimeline timeline,
    List<RankTrace> traces,
    int part,
    int parts,
    int mostCalls) {
  /** Waiting before the first transfer that is drawn at most, as a part of what follows it. */
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
   * Where the drawing starts: with the first start of a call, but not long before the first one
   * that all its ranks have come to, as the first call of a trace may wait very long.
   */
  double startUs() {
    double joined = Double.POSITIVE_INFINITY;
    for (RankTrace trace : traces) {
      for (int call = first(trace); call < end(trace); call++) {
        joined = Math.min(joined, timeline.startUs(trace, call) + timeline.waitUs(trace, call));
      }
    }
    return Math.max(firstUs(), joined - LONGEST_LEAD * (endUs() - joined));
  }

  /** Waiting before {@link #startUs()}, which is not drawn. */
  double cutUs() {
    return startUs() - firstUs();
  }

  /** The first start of a call. */
  private double firstUs() {
    double first = Double.POSITIVE_INFINITY;
    for (RankTrace trace : traces) {
      for (int call = first(trace); call < end(trace); call++) {
        first = Math.min(first, timeline.startUs(trace, call));
      }
    }
    return first;
  }

  /** The last end of a call. */
  double endUs() {
    double last = Double.NEGATIVE_INFINITY;
    for (RankTrace trace : traces) {
      for (int call = first(trace); call < end(trace); call++) {
        last = Math.max(last, timeline.startUs(trace, call) + trace.durationUs(call));
      }
    }
    return last;
  }
}
