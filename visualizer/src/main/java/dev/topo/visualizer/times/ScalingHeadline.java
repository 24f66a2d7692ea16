package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Scaling;
import dev.topo.visualizer.view.Answer.Sentence;
import dev.topo.visualizer.view.RangedNumber;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How the largest call goes with the number of nodes, in one sentence. */
public final class ScalingHeadline {
  /** A smaller difference is not told. */
  private static final double LOWER = 0.98;

  private ScalingHeadline() {}

  /** The sentence: busbw on the fewest and the most nodes, and where it is lowest between. */
  public static String of(Scaling scaling) {
    List<Forecast> forecasts = scaling.forecasts();
    Optional<Prediction> first = forecasts.stream().flatMap(ScalingHeadline::largest).findFirst();
    if (first.isEmpty()) {
      return "No time is known for these calls on %s.".formatted(scaling.machine());
    }
    List<Forecast> timed =
        forecasts.stream().filter(forecast -> largest(forecast).findAny().isPresent()).toList();
    Forecast few = timed.get(0);
    Forecast many = timed.get(timed.size() - 1);
    Forecast lowest =
        timed.stream().min(Comparator.comparingDouble(ScalingHeadline::busbw)).orElseThrow();
    String ends =
        "%s of %s on %s: %s on %s%s%s"
            .formatted(
                first.get().call().operation().label(),
                QuantityFormat.size(first.get().call().sizeBytes()),
                scaling.machine(),
                amount(few),
                ScalingText.nodes(scaling, few),
                few == many
                    ? ""
                    : ", %s on %s".formatted(brief(many), ScalingText.more(scaling, many)),
                PredictionHeadline.limit(many, largest(many).findFirst().orElseThrow()));
    return isLess(lowest, few) && isLess(lowest, many)
        ? Sentence.of(
            List.of(
                "%s; least on %d: %s.".formatted(ends, scaling.stated(lowest), brief(lowest)),
                ends + "."))
        : ends + ".";
  }

  /** True if a busbw is lower by more than what is rounded away. */
  private static boolean isLess(Forecast forecast, Forecast other) {
    return busbw(forecast) < LOWER * busbw(other);
  }

  private static Stream<Prediction> largest(Forecast forecast) {
    Stream<Prediction> predictions =
        Stream.concat(
            forecast.calls().stream().flatMap(call -> call.shown().stream().limit(1)),
            forecast.peers().stream());
    List<Prediction> listed = predictions.toList();
    return listed.stream()
        .filter(prediction -> prediction.call().operation() == listed.get(0).call().operation())
        .max(Comparator.comparingLong(prediction -> prediction.call().sizeBytes()))
        .stream();
  }

  private static double busbw(Forecast forecast) {
    return largest(forecast).findFirst().orElseThrow().busbwGBps();
  }

  private static String amount(Forecast forecast) {
    RangedNumber busbw = busbw(largest(forecast));
    return busbw.number() + " GB/s busbw " + range(busbw);
  }

  /** Without the unit, which the first number has. */
  private static String brief(Forecast forecast) {
    RangedNumber busbw = busbw(largest(forecast));
    return busbw.number() + " " + range(busbw);
  }

  private static RangedNumber busbw(Stream<Prediction> largest) {
    return BusbwWords.range(largest.findFirst().orElseThrow());
  }

  private static String range(RangedNumber busbw) {
    return busbw.low().isEmpty() ? "(no range known)" : "(" + busbw.range() + ")";
  }
}
