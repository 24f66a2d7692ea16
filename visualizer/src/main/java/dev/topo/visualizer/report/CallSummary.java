package dev.topo.visualizer.report;

import dev.topo.model.Last;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.tuning.SizeRange;
import dev.topo.simulator.evaluate.PredictedCall.ChoiceComparison;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.visualizer.times.BusbwWords;
import dev.topo.visualizer.times.LimitWords;
import dev.topo.visualizer.times.PredictionRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Summarises NCCL's choices for the calls of a collective and their times in sentences. */
record CallSummary(ReportSubject subject) {
  /** A size in bytes that is limited by bandwidth. */
  static final long LARGE = ReportSubject.LARGE_BYTES;

  /**
   * Choices slower by more than this fraction, which exceeds the prediction error, are mentioned.
   */
  private static final double MIN_REGRET = 0.1;

  /** The collective that the summary is about. */
  Collective collective() {
    return subject.calls().collectives().get(0);
  }

  /** NCCL's choice by ranges of sizes. */
  String choice() {
    TreeMap<Long, String> names = new TreeMap<>();
    if (subject.predictor().planner().context().buffers() == Buffers.PLAIN) {
      for (List<SizeRange> range : ChoicesSection.ranges(subject, collective())) {
        String choice =
            range
                .get(0)
                .choice()
                .map(c -> c.algorithm().label() + "/" + c.protocol().label())
                .orElse("nothing (%s)".formatted(refusal(range.get(0).minBytes())));
        names.put(Last.of(range).maxBytes(), choice);
      }
    } else {
      for (long size : subject.calls().sizes()) {
        String choice =
            predicted(size)
                .map(CollectivePrediction::launchName)
                .orElseGet(() -> "nothing (%s)".formatted(refusal(size)));
        if (!names.isEmpty() && names.lastEntry().getValue().equals(choice)) {
          names.pollLastEntry();
        }
        names.put(size, choice);
      }
    }
    List<String> ranges = new ArrayList<>();
    names.forEach(
        (size, choice) ->
            ranges.add(
                size.equals(names.lastKey()) && names.size() > 1
                    ? choice + " above"
                    : choice + " up to " + QuantityFormat.size(size)));
    return "For " + collective().label() + " NCCL chooses " + String.join(", ", ranges) + ".";
  }

  private String refusal(long size) {
    return subject.predictor().obstacle(CollectiveCall.of(collective(), size)).orElse("");
  }

  /** The prediction for the collective of the summary at a size. */
  Optional<CollectivePrediction> predicted(long size) {
    return subject.predictor().predict(CollectiveCall.of(collective(), size), false);
  }

  /**
   * The expected busbw and its basis. Sizes without a calibration get a star if others have one.
   */
  List<String> speed() {
    List<CollectivePrediction> predictions =
        ReportSubject.SUMMARY_BYTES.stream()
            .map(this::predicted)
            .flatMap(Optional::stream)
            .toList();
    if (predictions.isEmpty()) {
      return List.of();
    }
    boolean anyCalibrated = predictions.stream().anyMatch(CollectivePrediction::isCalibrated);
    List<String> speeds = new ArrayList<>();
    for (CollectivePrediction prediction : predictions) {
      String busbw = BusbwWords.range(prediction).number();
      String size = QuantityFormat.size(prediction.sizeBytes());
      String star = anyCalibrated && !prediction.isCalibrated() ? "*" : "";
      speeds.add(busbw + " GB/s at " + size + star);
    }
    List<String> sentences = new ArrayList<>();
    sentences.add(
        "Expected busbw of " + collective().label() + ": " + String.join(", ", speeds) + ".");
    if (anyCalibrated) {
      sentences.add(subject.basis().source());
    }
    sentences.addAll(subject.basis().caveats());
    return sentences;
  }

  /** What limits the large call, and the link with the highest utilization. */
  List<String> limit(List<ReportPart> parts) {
    List<String> sentences = new ArrayList<>();
    predicted(LARGE)
        .ifPresent(
            prediction ->
                sentences.add(
                    "At %s %s is %s%s."
                        .formatted(
                            QuantityFormat.size(LARGE),
                            prediction.launchName(),
                            LimitWords.by(prediction.estimate().bottleneck().label()),
                            linkOf(prediction))));
    for (ReportPart part : parts) {
      part.found().stream()
          .limit(1)
          .forEach(
              graph ->
                  sentences.add(
                      "The fullest link under the %s channels%s is %s."
                          .formatted(
                              graph.kind().label(),
                              part.suffix(parts.size()),
                              DeviceFormat.fullest(part.domain(), graph))));
    }
    return sentences;
  }

  private String linkOf(CollectivePrediction prediction) {
    String limit = PredictionRow.of(subject.forecast(List.of()), prediction).limit();
    return limit.equals(prediction.estimate().bottleneck().word()) ? "" : " (" + limit + ")";
  }

  /**
   * The size at which NCCL's choice is slowest compared with the best; empty if it is nowhere much
   * slower.
   */
  Optional<String> slowChoice() {
    double worst = MIN_REGRET;
    Optional<String> sentence = Optional.empty();
    for (long size : subject.calls().sizes()) {
      CollectiveCall call = CollectiveCall.of(collective(), size);
      ChoiceComparison comparison = subject.predictor().compare(call);
      double regret = comparison.regret().orElse(0);
      if (regret > worst) {
        worst = regret;
        sentence =
            Optional.of(
                TextWriter.format(
                    "For %s of %s NCCL chooses %s, predicted to be %.0f %% slower than %s: measure both.",
                    collective().label(),
                    QuantityFormat.size(size),
                    comparison.chosen().orElseThrow().launchName(),
                    100 * regret,
                    comparison.best().orElseThrow().launchName()));
      }
    }
    return sentence;
  }
}
