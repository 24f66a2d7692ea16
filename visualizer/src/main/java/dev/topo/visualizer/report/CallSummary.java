package dev.topo.visualizer.report;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.tuning.SizeRange;
import dev.topo.simulator.evaluate.PredictedCall.ChoiceComparison;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.visualizer.times.BusbwWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** NCCL's choices for the calls of a collective and their times, in sentences. */
final class CallSummary {
  /** A size limited by bandwidth. */
  static final long LARGE = ReportSubject.LARGE_BYTES;

  /** A choice slower by this part is mentioned: more than the prediction error. */
  private static final double MUCH = 0.1;

  private final ReportSubject subject;

  CallSummary(ReportSubject subject) {
    this.subject = subject;
  }

  /** The collective of the summary. */
  Collective collective() {
    return subject.calls().collectives().get(0);
  }

  /** NCCL's choice by size. */
  String choice() {
    List<String> ranges = new ArrayList<>();
    List<List<SizeRange>> all = ChoicesSection.ranges(subject, collective());
    for (int i = 0; i < all.size(); i++) {
      List<SizeRange> range = all.get(i);
      String what =
          range
              .get(0)
              .choice()
              .map(c -> c.algorithm().label() + "/" + c.protocol().label())
              .orElse("nothing (NCCL refuses)");
      ranges.add(
          i == all.size() - 1 && i > 0
              ? what + " above"
              : what + " up to " + QuantityFormat.size(range.get(range.size() - 1).maxBytes()));
    }
    return "For " + collective().label() + " NCCL chooses " + String.join(", ", ranges) + ".";
  }

  /** The prediction of a size of the first collective. */
  Optional<CollectivePrediction> predicted(long size) {
    return subject.predictor().predict(CollectiveCall.of(collective(), size), false);
  }

  /** The expected busbw and its basis. Sizes without calibration have a star if others have one. */
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
      String size = QuantityFormat.size(prediction.call().sizeBytes());
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

  /** The limit of the largest of these sizes, and the link with the highest utilization. */
  List<String> limit(List<ReportPart> parts) {
    List<String> sentences = new ArrayList<>();
    predicted(LARGE)
        .ifPresent(
            prediction ->
                sentences.add(
                    "At %s %s is limited by %s%s."
                        .formatted(
                            QuantityFormat.size(LARGE),
                            PredictionsSection.pair(prediction),
                            prediction.estimate().bottleneck().label(),
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
    String limit = DeviceFormat.limit(subject.predictor(), prediction);
    return limit.equals(prediction.estimate().bottleneck().word()) ? "" : " (" + limit + ")";
  }

  /** The size at which NCCL's choice is slowest against the best, if it is much slower. */
  Optional<String> slowChoice() {
    double worst = MUCH;
    Optional<String> sentence = Optional.empty();
    for (long size : subject.calls().sizes()) {
      CollectiveCall call = CollectiveCall.of(collective(), size);
      ChoiceComparison comparison = subject.predictor().compare(call);
      double regret = comparison.regret().orElse(0);
      if (regret > worst) {
        worst = regret;
        sentence =
            Optional.of(
                String.format(
                    Locale.ROOT,
                    "For %s of %s NCCL chooses %s, predicted to be %.0f %% slower than %s: measure both.",
                    collective().label(),
                    QuantityFormat.size(size),
                    PredictionsSection.pair(comparison.chosen().orElseThrow()),
                    100 * regret,
                    PredictionsSection.pair(comparison.best().orElseThrow())));
      }
    }
    return sentence;
  }
}
