package dev.topo.visualizer.report;

import dev.topo.inspect.trace.CallKind;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.CallSite.Basis;
import dev.topo.simulator.workload.Expected;
import dev.topo.simulator.workload.SiteComparison;
import dev.topo.visualizer.view.Element;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Draws the calls of a window: a lane for each rank and group, a bar for each kernel whose waiting
 * part is hatched, and below it a strip while computation runs. Each instance is used once.
 */
final class TimelineDrawing {
  private static final double WIDTH = 1200;
  private static final double LEFT_MARGIN = 170;
  private static final double RIGHT_MARGIN = 16;
  private static final double TOP_MARGIN = 26;
  private static final double LANE_HEIGHT = 30;
  private static final double BAR_HEIGHT = 18;
  private static final double STRIP_HEIGHT = 5;
  private static final double MIN_BAR_WIDTH = 0.8;
  private static final int MAX_TICKS = 10;
  private static final int MAX_LABEL_LENGTH = 24;
  private static final double SAMPLE_SIZE = 14;

  /** Mean width of a letter in the drawing, in pixels. */
  private static final double MEAN_LETTER_WIDTH = 6.6;

  private static final String COMPUTATION_LABEL = "computation runs at the same time";

  private final WorkloadSubject subject;
  private final TimelineWindow window;
  private final double startUs;
  private final double pixelsPerUs;
  private final Map<CallSite, SiteComparison> comparisons = new HashMap<>();

  /**
   * The positions of lanes from the top, in order of their first calls; the lanes of a rank are
   * adjacent.
   */
  private final Map<Lane, Integer> lanes = new LinkedHashMap<>();

  private final Set<CallColor> colors = new LinkedHashSet<>();
  private final List<Element> parts = new ArrayList<>();

  private record Lane(int rank, String group) {}

  TimelineDrawing(WorkloadSubject subject, TimelineWindow window) {
    this.subject = subject;
    this.window = window;
    this.startUs = window.startUs();
    this.pixelsPerUs =
        (WIDTH - LEFT_MARGIN - RIGHT_MARGIN) / Math.max(1e-3, window.endUs() - startUs);
    subject
        .comparison()
        .sites()
        .forEach(comparison -> comparisons.put(comparison.site(), comparison));
  }

  Element element() {
    for (RankTrace trace : window.traces()) {
      for (int call = window.first(trace); call < window.end(trace); call++) {
        lanes.putIfAbsent(lane(trace, call), lanes.size());
      }
    }
    double bottom = TOP_MARGIN + lanes.size() * LANE_HEIGHT;
    axis(bottom);
    lanes.forEach(this::label);
    for (RankTrace trace : window.traces()) {
      for (int call = window.first(trace); call < window.end(trace); call++) {
        bar(trace, call);
      }
    }
    double height = legend(bottom + 26);
    return Element.of("svg", parts)
        .with("viewBox", "0 0 " + number(WIDTH) + " " + number(height))
        .with("xmlns", "http://www.w3.org/2000/svg")
        .with("role", "img")
        .with("aria-label", "Timeline of the calls of NCCL, " + window.title())
        .with("font-family", "system-ui, DejaVu Sans, Liberation Sans, Arial, sans-serif")
        .with("font-size", "12");
  }

  private static Lane lane(RankTrace trace, int call) {
    return new Lane(
        trace.rank().orElse(-1), CallTables.group(trace.kinds().get(trace.kindOf(call)).group()));
  }

  private double x(double us) {
    return LEFT_MARGIN + (us - startUs) * pixelsPerUs;
  }

  private void axis(double bottom) {
    double span = window.endUs() - startUs;
    double step = Math.pow(10, Math.floor(Math.log10(Math.max(1e-3, span) / MAX_TICKS)));
    while (span / step > MAX_TICKS) {
      step *= span / step > 5 * MAX_TICKS ? 10 : span / step > 2 * MAX_TICKS ? 5 : 2;
    }
    boolean inMs = span >= 1000;
    for (int i = 0; i * step <= span; i++) {
      double x = x(startUs + i * step);
      parts.add(
          Element.of("path")
              .with("d", "M" + number(x) + " " + number(TOP_MARGIN - 4) + "V" + number(bottom))
              .with("stroke", "#d9dde2"));
      double value = i * step / (inMs ? 1000 : 1);
      parts.add(
          text(x, TOP_MARGIN - 9, number(value) + (i == 0 ? inMs ? " ms" : " us" : ""), "middle"));
    }
  }

  private static Element text(double x, double y, String text, String anchor) {
    return Element.of("text", text)
        .with("x", number(x))
        .with("y", number(y))
        .with("text-anchor", anchor);
  }

  private void label(Lane lane, int position) {
    String group = lane.group;
    String shown =
        group.length() > MAX_LABEL_LENGTH ? group.substring(0, MAX_LABEL_LENGTH - 1) + "…" : group;
    double y = TOP_MARGIN + position * LANE_HEIGHT;
    boolean isFirst =
        lanes.keySet().stream()
            .filter(other -> other.rank == lane.rank)
            .findFirst()
            .equals(Optional.of(lane));
    if (isFirst) {
      parts.add(
          text(4, y + BAR_HEIGHT - 2, "rank " + lane.rank, "start").with("font-weight", "600"));
      parts.add(
          Element.of("path")
              .with("d", "M0 " + number(y - 2) + "H" + number(WIDTH))
              .with("stroke", "#9aa2ab"));
    }
    parts.add(text(LEFT_MARGIN - 8, y + BAR_HEIGHT - 2, shown, "end").with("fill", "#596069"));
  }

  private void bar(RankTrace trace, int call) {
    CallSite site = subject.timeline().site(trace, call);
    CallKind kind = trace.kinds().get(trace.kindOf(call));
    CallColor color = CallColor.of(site.kind());
    colors.add(color);
    double start = subject.timeline().startUs(trace, call);
    double end = start + trace.durationUs(call);
    double arrival = Math.min(end, start + subject.timeline().waitUs(trace, call));
    double y = TOP_MARGIN + lanes.getOrDefault(lane(trace, call), 0) * LANE_HEIGHT + 2;
    List<Element> bar = new ArrayList<>();
    bar.add(Element.of("title", hint(site, kind, start, arrival, end, trace, call)));
    if (arrival > start) {
      bar.add(
          rect(start, arrival, y, BAR_HEIGHT).with("fill", color.value()).with("opacity", ".25"));
      bar.add(rect(start, arrival, y, BAR_HEIGHT).with("fill", "url(#waits)"));
    }
    bar.add(rect(arrival, end, y, BAR_HEIGHT).with("fill", color.value()));
    double ahead = subject.timeline().aheadUs(trace);
    trace
        .compute()
        .within(
            trace.startUs(call),
            trace.endUs(call),
            (from, to) -> strip(bar, from - ahead, to - ahead, y + BAR_HEIGHT));
    parts.add(Element.of("g", bar).as("call"));
  }

  private void strip(List<Element> bar, double from, double to, double y) {
    if (to > startUs) {
      bar.add(rect(from, to, y, STRIP_HEIGHT).with("fill", "#1a1a1a").as("beside"));
    }
  }

  /** A part of a bar, clipped at the left edge of the drawing. */
  private Element rect(double from, double to, double y, double height) {
    double left = Math.max(LEFT_MARGIN, x(from));
    return Element.of("rect")
        .with("x", number(left))
        .with("y", number(y))
        .with("width", number(Math.max(MIN_BAR_WIDTH, x(to) - left)))
        .with("height", number(height));
  }

  private String hint(
      CallSite site,
      CallKind kind,
      double start,
      double arrival,
      double end,
      RankTrace trace,
      int call) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s %s %s, group %s, rank %s"
            .formatted(
                site.kind().title(),
                QuantityFormat.size(kind.bytes()),
                kind.dataType().label(),
                CallTables.group(kind),
                trace.rank().orElse(-1)));
    lines.add(
        start < startUs
            ? "started %s before the left edge".formatted(QuantityFormat.time(startUs - start))
            : "starts at " + QuantityFormat.time(start - startUs));
    if (site.basis() == Basis.ARRIVAL) {
      lines.add("waits " + QuantityFormat.time(arrival - start) + " for other ranks");
      lines.add("measured " + QuantityFormat.time(end - arrival) + " from then on");
    } else {
      lines.add("measured " + QuantityFormat.time(end - start) + ", waiting included");
    }
    SiteComparison comparison = comparisons.get(site);
    if (comparison != null) {
      lines.add(
          comparison
              .expected()
              .map(TimelineDrawing::expected)
              .orElse(comparison.forecast().reason()));
    }
    double beside = trace.compute().covered(trace.startUs(call), trace.endUs(call));
    if (beside > 0) {
      lines.add("computation runs beside it for " + QuantityFormat.time(beside));
    }
    return String.join("\n", lines);
  }

  private static String expected(Expected expected) {
    return "expected "
        + QuantityFormat.time(expected.timeUs())
        + WorkloadWords.range(expected).map(range -> " (" + range + ")").orElse("")
        + " alone, "
        + expected.launchName();
  }

  /** Draws the legend and returns the total height of the drawing. */
  private double legend(double top) {
    parts.add(Element.of("defs", hatch()));
    Map<String, String> samples = new LinkedHashMap<>();
    for (CallColor color : CallColor.values()) {
      if (colors.contains(color)) {
        samples.put(color.label(), color.value());
      }
    }
    samples.put("waits for late ranks", "url(#waits)");
    samples.put(COMPUTATION_LABEL, "#1a1a1a");
    double x = LEFT_MARGIN;
    double y = top;
    for (Map.Entry<String, String> sample : samples.entrySet()) {
      String label = sample.getKey();
      double width = SAMPLE_SIZE + 20 + MEAN_LETTER_WIDTH * label.length();
      if (x + width > WIDTH) {
        x = LEFT_MARGIN;
        y += BAR_HEIGHT + 2;
      }
      double height = label.equals(COMPUTATION_LABEL) ? STRIP_HEIGHT : SAMPLE_SIZE;
      parts.add(
          Element.of("rect")
              .with("x", number(x))
              .with("y", number(y + SAMPLE_SIZE - height))
              .with("width", number(SAMPLE_SIZE))
              .with("height", number(height))
              .with("fill", sample.getValue()));
      parts.add(text(x + SAMPLE_SIZE + 5, y + 11, label, "start"));
      x += width;
    }
    return y + BAR_HEIGHT + 8;
  }

  private static Element hatch() {
    return Element.of("pattern", Element.of("path").with("d", "M0 6L6 0").with("stroke", "#1a1a1a"))
        .with("id", "waits")
        .with("width", "6")
        .with("height", "6")
        .with("patternUnits", "userSpaceOnUse");
  }

  /** Formats a number with up to two decimals, without trailing zeros. */
  private static String number(double value) {
    String text = TextWriter.format("%.2f", value);
    return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
  }
}
