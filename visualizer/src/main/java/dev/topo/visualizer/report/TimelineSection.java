package dev.topo.visualizer.report;

import dev.topo.inspect.trace.RankTrace;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.workload.CallTimeline;
import dev.topo.simulator.workload.Workload.LateRank;
import dev.topo.simulator.workload.Workload.Step;
import dev.topo.visualizer.view.DataTable;
import dev.topo.visualizer.view.Element;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The section with the timeline of the calls of a job: a drawing for each step, of which the last
 * one is expanded.
 */
final class TimelineSection {
  private static final int MAX_RANKS = 8;
  private static final int MAX_LATE_RANKS = 3;
  private static final int MAX_STEPS = 6;

  /** Maximum number of bars in all drawings together; more make the page slow. */
  private static final int MAX_BARS = 6000;

  private TimelineSection() {}

  static Element of(WorkloadSubject subject) {
    CallTimeline timeline = subject.timeline();
    if (timeline.traces().isEmpty()) {
      return Element.section(
          "timeline",
          "Timeline",
          Element.paragraph("The traces do not say when calls started, so there is no timeline."));
    }
    List<RankTrace> shown = ranks(subject);
    int steps = steps(subject, shown);
    int drawn = Math.min(steps, MAX_STEPS);
    int mostCalls = Math.max(1, MAX_BARS / drawn / shown.size());
    List<TimelineWindow> windows =
        IntStream.range(steps - drawn, steps)
            .mapToObj(
                step ->
                    new TimelineWindow(
                        steps == 1 ? "the whole trace" : "step " + (step + 1) + " of " + steps,
                        timeline,
                        shown,
                        step,
                        steps,
                        mostCalls))
            .toList();
    TimelineWindow last = windows.get(drawn - 1);
    Element section =
        Element.section("timeline", "Timeline", Element.paragraph(sentence(subject, last)));
    section = section.add(figure(subject, last));
    for (TimelineWindow window : windows.subList(0, drawn - 1)) {
      section =
          section.add(
              Element.of("details", Element.of("summary", window.title()), figure(subject, window))
                  .as("step"));
    }
    return section;
  }

  /** The ranks that others waited for most, filled up with the first ranks. */
  private static List<RankTrace> ranks(WorkloadSubject subject) {
    List<RankTrace> traces = subject.timeline().traces();
    Set<Integer> late =
        subject.workload().late().stream()
            .limit(MAX_LATE_RANKS)
            .map(LateRank::rank)
            .collect(Collectors.toSet());
    return traces.stream()
        .sorted(Comparator.comparing((RankTrace trace) -> !late.contains(trace.rank().orElse(-1))))
        .limit(MAX_RANKS)
        .sorted(Comparator.comparingInt(trace -> trace.rank().orElse(-1)))
        .toList();
  }

  /**
   * The number of steps if each shown rank makes the same number of calls in each step; otherwise
   * 1.
   */
  private static int steps(WorkloadSubject subject, List<RankTrace> shown) {
    int marked = subject.workload().step().filter(Step::isMarked).map(Step::count).orElse(1);
    return shown.stream().allMatch(trace -> trace.size() % marked == 0) ? marked : 1;
  }

  private static String sentence(WorkloadSubject subject, TimelineWindow window) {
    StringBuilder text = new StringBuilder();
    text.append("A line for each rank and group: the kernels of NCCL, ");
    text.append(window.title()).append('.');
    int all = subject.timeline().traces().size();
    if (all > window.traces().size()) {
      text.append(
          " Of %s ranks, %s are shown: those that others waited for most, and the first ones."
              .formatted(all, QuantityFormat.ranges(numbers(window.traces()))));
    }
    if (window.isCut()) {
      text.append(" Of each rank the first %s calls are shown.".formatted(window.mostCalls()));
    }
    List<RankTrace> unsynchronized =
        window.traces().stream().filter(trace -> !subject.timeline().isCompared(trace)).toList();
    if (!unsynchronized.isEmpty()) {
      text.append(
          " The clocks of ranks %s could not be compared with that of the first rank."
              .formatted(QuantityFormat.ranges(numbers(unsynchronized))));
    }
    return text.append(" Point at a bar for its times.").toString();
  }

  private static List<Integer> numbers(List<RankTrace> traces) {
    return traces.stream().map(trace -> trace.rank().orElse(-1)).toList();
  }

  private static Element figure(WorkloadSubject subject, TimelineWindow window) {
    double cutUs = window.cutUs();
    String caption =
        cutUs <= 0
            ? window.title()
            : window.title()
                + "; "
                + QuantityFormat.time(cutUs)
                + " in which ranks wait for the first call are not drawn";
    return DataTable.figure(
            new TimelineDrawing(subject, window).element(),
            "Timeline, " + window.title(),
            Element.of("figcaption", caption))
        .as("timeline");
  }
}
