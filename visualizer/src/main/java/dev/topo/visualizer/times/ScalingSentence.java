package dev.topo.visualizer.times;

import dev.topo.model.Last;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Scaling;
import dev.topo.simulator.evaluate.TimeChange;
import dev.topo.visualizer.view.Answer.Sentence;
import dev.topo.visualizer.view.RangedNumber;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Summarises in one sentence how the largest call scales with the number of nodes. */
public final class ScalingSentence {
  private ScalingSentence() {}

  /**
   * Returns the sentence: busbw on the fewest and the most nodes, and the number of nodes in
   * between with the lowest busbw, if it is lower.
   */
  public static String of(Scaling scaling) {
    List<CommunicatorPredictions> forecasts = scaling.forecasts();
    Optional<Prediction> first = forecasts.stream().flatMap(ScalingSentence::largest).findFirst();
    if (first.isEmpty()) {
      return "No time is known for these calls on %s.".formatted(scaling.machine());
    }
    List<CommunicatorPredictions> timed =
        forecasts.stream().filter(forecast -> largest(forecast).findAny().isPresent()).toList();
    CommunicatorPredictions smallestJob = timed.get(0);
    CommunicatorPredictions largestJob = Last.of(timed);
    CommunicatorPredictions lowest =
        timed.stream().min(Comparator.comparingDouble(ScalingSentence::busbw)).orElseThrow();
    String ends =
        "%s on %s: %s on %s%s%s"
            .formatted(
                first.get().call().label(),
                scaling.machine(),
                busbw(smallestJob, " GB/s busbw"),
                QuantityFormat.count(scaling.stated(smallestJob), scaling.noun())
                    + domains(scaling, smallestJob, "NVLink domain"),
                smallestJob == largestJob
                    ? ""
                    : ", %s on %s"
                        .formatted(
                            busbw(largestJob, ""),
                            scaling.stated(largestJob) + domains(scaling, largestJob, "domain")),
                PredictionSentence.limit(
                    largestJob, largest(largestJob).findFirst().orElseThrow()));
    return isLess(lowest, smallestJob) && isLess(lowest, largestJob)
        ? Sentence.of(
            "%s; least on %s: %s.".formatted(ends, scaling.stated(lowest), busbw(lowest, "")),
            ends + ".")
        : ends + ".";
  }

  private static boolean isLess(CommunicatorPredictions forecast, CommunicatorPredictions other) {
    return TimeChange.isMore(busbw(other), busbw(forecast));
  }

  private static Stream<Prediction> largest(CommunicatorPredictions forecast) {
    Stream<Prediction> predictions =
        Stream.concat(
            forecast.calls().stream().flatMap(call -> call.shown().stream().limit(1)),
            forecast.peers().stream());
    List<Prediction> listed = predictions.toList();
    return listed.stream()
        .filter(prediction -> prediction.operation() == listed.get(0).call().operation())
        .max(Comparator.comparingLong(prediction -> prediction.sizeBytes()))
        .stream();
  }

  private static double busbw(CommunicatorPredictions forecast) {
    return largest(forecast).findFirst().orElseThrow().busbwGBps();
  }

  private static String busbw(CommunicatorPredictions forecast, String unit) {
    RangedNumber busbw = BusbwWords.range(largest(forecast).findFirst().orElseThrow());
    return busbw.number() + unit + busbw.inBrackets(" (no range known)");
  }

  /** The nodes of a job: {@code 4 nodes}, {@code 18 hosts (1 NVLink domain)}. */
  private static String domains(Scaling scaling, CommunicatorPredictions forecast, String noun) {
    return scaling.isByHosts()
        ? " (%s)".formatted(QuantityFormat.count(forecast.nNodes(), noun))
        : "";
  }
}
