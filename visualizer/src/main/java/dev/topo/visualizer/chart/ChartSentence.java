package dev.topo.visualizer.chart;

import dev.topo.model.Last;
import dev.topo.model.Quantiles;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.visualizer.chart.Chart.Horizontal;
import dev.topo.visualizer.chart.Curve.Look;
import dev.topo.visualizer.chart.Curve.Point;
import dev.topo.visualizer.view.RangedNumber;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Summarises a chart in a sentence below its title. */
record ChartSentence(Chart chart) {
  private static final double US_PER_MS = 1000;

  /** Returns the sentence without its full stop; empty for a chart without points. */
  static Optional<String> of(Chart chart) {
    ChartSentence sentence = new ChartSentence(chart);
    if (chart.axis().equals(MeasuredCharts.ERROR)) {
      return sentence.curve(Look.PREDICTED).map(ChartSentence::errors);
    }
    Optional<Curve> chosen = sentence.curve(Look.MARKS);
    if (chosen.isPresent() && chart.shaded().isPresent()) {
      return sentence.regret(chart.shaded().get().upper(), chosen.get().points());
    }
    Optional<Curve> measured = sentence.curve(Look.MEASURED);
    Optional<Curve> predicted = sentence.curve(Look.PREDICTED);
    if (measured.isPresent() && predicted.isPresent()) {
      return sentence.measuredAndPredicted(measured.get().points(), predicted.get().points());
    }
    return measured
        .or(() -> predicted)
        .map(sentence::alone)
        .or(() -> sentence.fastest(chart.curves()));
  }

  private Optional<Curve> curve(Look look) {
    return chart.curves().stream()
        .filter(curve -> curve.look() == look && !curve.points().isEmpty())
        .findFirst();
  }

  private static String errors(Curve predicted) {
    Point worst =
        predicted.points().stream()
            .max(Comparator.comparingDouble(point -> Math.abs(point.value())))
            .orElseThrow();
    return "predicted times are off by %s in the median, most at %s: %s"
        .formatted(
            percent(median(predicted.points().stream().map(Point::value).toList())),
            QuantityFormat.size(worst.at()),
            QuantityFormat.change(worst.value() / 100, 0));
  }

  /** The values of two curves at the same position. */
  private record Common(long at, double first, double second) {
    double ratio() {
      return first / second;
    }
  }

  private static List<Common> common(List<Point> first, List<Point> second) {
    Map<Long, Double> known =
        first.stream().collect(Collectors.toMap(Point::at, Point::value, (a, b) -> b));
    return second.stream()
        .flatMap(
            point ->
                Optional.ofNullable(known.get(point.at())).stream()
                    .map(value -> new Common(point.at(), value, point.value())))
        .toList();
  }

  private Optional<String> regret(List<Point> best, List<Point> chosen) {
    return common(best, chosen).stream()
        .max(Comparator.comparingDouble(Common::ratio))
        .map(
            worst ->
                worst.ratio() > 1
                    ? "NCCL's choice is slower than another pair by %s at most, at %s"
                        .formatted(percent(100 * (worst.ratio() - 1)), at(worst.at()))
                    : "no pair is faster than NCCL's choice");
  }

  private Optional<String> measuredAndPredicted(List<Point> measured, List<Point> predicted) {
    List<Common> common = common(predicted, measured);
    if (common.isEmpty()) {
      return Optional.empty();
    }
    Common last = Last.of(common);
    List<Double> errors = common.stream().map(both -> 100 * (both.ratio() - 1)).toList();
    return Optional.of(
        "at %s %s GB/s measured, %s predicted; %s apart in the median of %s"
            .formatted(
                at(last.at()),
                QuantityFormat.bandwidth(last.second()),
                number(new Point(last.at(), last.first())),
                percent(median(errors)),
                QuantityFormat.count(common.size(), "size")));
  }

  private String alone(Curve curve) {
    Point first = curve.points().get(0);
    Point last = Last.of(curve.points());
    String word = curve.look() == Look.MEASURED ? "measured" : "predicted";
    return chart.horizontal() == Horizontal.NODES && first.at() != last.at()
        ? "%s GB/s %s on %s, %s on %s"
            .formatted(number(first), word, at(first.at()), number(last), last.at())
        : "%s GB/s %s at %s".formatted(number(last), word, at(last.at()));
  }

  /** Formats a bandwidth with as many digits as its range justifies, if a range is drawn. */
  private String number(Point point) {
    return chart
        .shaded()
        .flatMap(
            range ->
                common(range.lower(), range.upper()).stream()
                    .filter(ends -> ends.at() == point.at())
                    .findFirst())
        .map(ends -> RangedNumber.of(point.value(), ends.first(), ends.second()).text())
        .orElseGet(() -> QuantityFormat.bandwidth(point.value()));
  }

  /** Names the curve with the highest busbw or the lowest time at the right end. */
  private Optional<String> fastest(List<Curve> curves) {
    return curves.stream()
        .filter(curve -> !curve.points().isEmpty())
        .max(
            Comparator.<Curve>comparingLong(curve -> last(curve).at())
                .thenComparingDouble(curve -> (isTime() ? -1 : 1) * last(curve).value()))
        .map(
            curve ->
                "at %s %s is %s"
                    .formatted(at(last(curve).at()), curve.name(), best(last(curve).value())));
  }

  private boolean isTime() {
    return chart.axis().equals(MeasuredCharts.TIME);
  }

  private String best(double value) {
    return isTime()
        ? "fastest, " + QuantityFormat.time(US_PER_MS * value)
        : "highest, %s GB/s".formatted(QuantityFormat.bandwidth(value));
  }

  private static Point last(Curve curve) {
    return Last.of(curve.points());
  }

  private String at(long place) {
    return chart.horizontal() == Horizontal.SIZE
        ? QuantityFormat.size(place)
        : QuantityFormat.count(place, "node");
  }

  /** The median of the absolute values. */
  private static double median(List<Double> numbers) {
    return Quantiles.median(numbers.stream().map(Math::abs).toList());
  }

  private static String percent(double percent) {
    return TextWriter.format(percent < 10 ? "%.1f %%" : "%.0f %%", percent);
  }
}
