package dev.topo.property;

import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.verdict.BoundReport;
import dev.topo.simulator.verdict.BoundReporter;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** No predicted time is below the time that no schedule on the links beats. */
class BoundsTest {
  /** Of rounding. */
  private static final double TOLERANCE = 1e-6;

  private final Counts counts = new Counts("time at least the bound");

  @Test
  void noTimeIsBelowItsBound() {
    Cases.all().forEach(this::compare);
    counts.report();
  }

  private void compare(DrawnJob job) {
    counts.begin(job);
    Optional<JobResult> result = job.result();
    if (result.isEmpty()) {
      counts.other("without an answer");
      return;
    }
    BoundReporter reporter = new BoundReporter(result.get().predictor());
    for (CollectiveCall call : job.calls()) {
      Optional<CollectivePrediction> prediction = result.get().prediction(call);
      Optional<BoundReport> bound = reporter.report(call.collective(), call.sizeBytes());
      if (prediction.isEmpty() || bound.isEmpty()) {
        counts.other("refused or without a bound");
      } else if (!prediction.get().source().predictsTimes()) {
        counts.other("by NCCL's own model, which only ranks algorithms");
      } else {
        compare(prediction.get(), bound.get());
      }
    }
  }

  private void compare(CollectivePrediction prediction, BoundReport bound) {
    counts.check(
        "%s %d bytes: %s us, bound %s us"
            .formatted(
                prediction.call().collective(),
                prediction.call().sizeBytes(),
                prediction.timeUs(),
                bound.timeUs()),
        prediction.timeUs() >= bound.timeUs() * (1 - TOLERANCE));
    bound
        .allLinksTimeUs()
        .ifPresent(
            all ->
                counts.check(
                    "bound over all links " + bound, all <= bound.timeUs() * (1 + TOLERANCE)));
    bound
        .predicted()
        .ifPresent(
            predicted ->
                counts.same("predicted by the bound", prediction.timeUs(), predicted.timeUs()));
  }
}
