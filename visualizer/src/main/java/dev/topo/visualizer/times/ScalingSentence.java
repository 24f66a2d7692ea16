package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Scaling;
import dev.topo.simulator.evaluate.TimeChange;
import dev.topo.visualizer.view.Answer.Sentence;
import dev.topo.visualizer.view.RangedNumber;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The scaling of the largest call with the number of nodes in one sentence. */
public final class ScalingSentence {
  private ScalingSentence() {}

  /** The sentence: busbw on the fewest and the most nodes, and where it is lowest between. */
  public static String of(Scaling scaling) {
    List<Forecast> forecasts = scaling.forecasts();
    Optional<Prediction> first = forecasts.stream().flatMap(ScalingSentence::largest).findFirst();
    if (first.isEmpty()) {
      return "No time is known for these calls on %s.".formatted(scaling.machine());
    }
    List<Forecast> timed =
        forecasts.stream().filter(forecast -> largest(forecast).findAny().isPresent()).toList();
    Forecast few = timed.get(0);
    Forecast many = timed.get(timed.size() - 1);
    Forecast lowest =
        timed.stream().min(Comparator.comparingDouble(ScalingSentence::busbw)).orElseThrow();
    String ends =
        "%s on %s: %s on %s%s%s"
            .formatted(
                first.get().call().label(),
                scaling.machine(),
                amount(few),
                nodes(scaling, few),
                few == many ? "" : ", %s on %s".formatted(brief(many), more(scaling, many)),
                PredictionSentence.limit(many, largest(many).findFirst().orElseThrow()));
    return isLess(lowest, few) && isLess(lowest, many)
        ? Sentence.of(
            "%s; least on %s: %s.".formatted(ends, scaling.stated(lowest), brief(lowest)),
            ends + ".")
        : ends + ".";
  }

  private static boolean isLess(Forecast forecast, Forecast other) {
    return TimeChange.isMore(busbw(other), busbw(forecast));
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
    return busbw(forecast, " GB/s busbw");
  }

  /** The amount without the unit, which the first number has. */
  private static String brief(Forecast forecast) {
    return busbw(forecast, "");
  }

  private static String busbw(Forecast forecast, String unit) {
    RangedNumber busbw = BusbwWords.range(largest(forecast).findFirst().orElseThrow());
    return busbw.number() + unit + busbw.inBrackets(" (no range known)");
  }

  /** The nodes of a job: {@code 4 nodes}, {@code 18 hosts (1 NVLink domain)}. */
  private static String nodes(Scaling scaling, Forecast forecast) {
    return QuantityFormat.count(scaling.stated(forecast), scaling.noun())
        + (scaling.isByHosts()
            ? " (%s)".formatted(QuantityFormat.count(forecast.nNodes(), "NVLink domain"))
            : "");
  }

  /** The nodes of a job after those of another: {@code 8}, {@code 36 (2 domains)}. */
  private static String more(Scaling scaling, Forecast forecast) {
    return scaling.stated(forecast)
        + (scaling.isByHosts()
            ? " (%s)".formatted(QuantityFormat.count(forecast.nNodes(), "domain"))
            : "");
  }
}
