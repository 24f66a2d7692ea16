package dev.topo.property;

import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.verdict.BoundReport;
import dev.topo.simulator.verdict.BoundReporter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** No predicted time is below the time that no schedule on the links beats. */
class BoundsTest {
  /** Of rounding. */
  private static final double TOLERANCE = 1e-6;

  /** Settings that take links away. */
  private static final List<String> SETTINGS =
      List.of(
          "NCCL_P2P_DISABLE=1",
          "NCCL_P2P_LEVEL=LOC",
          "NCCL_P2P_LEVEL=NVL",
          "NCCL_SHM_DISABLE=1",
          "NCCL_NVLS_ENABLE=0",
          "NCCL_NVB_DISABLE=1",
          "NCCL_PXN_DISABLE=1",
          "NCCL_NET_GDR_LEVEL=LOC",
          "NCCL_COLLNET_ENABLE=1");

  private final Counts counts = new Counts("time at least the bound");

  @Test
  void noTimeIsBelowItsBound() {
    Cases.all().forEach(this::compare);
    counts.report();
  }

  private void compare(DrawnJob drawn) {
    Random random = drawn.random();
    DrawnJob job = random.nextBoolean() ? drawn : drawn.with(MachineEdits.pick(SETTINGS, random));
    counts.begin(job);
    Optional<JobResult> result = job.result();
    if (result.isEmpty()) {
      counts.other("without an answer");
      return;
    }
    BoundReporter reporter = new BoundReporter(result.get().predictor());
    List<Long> sizes = new ArrayList<>(job.sizes());
    sizes.add(8L << 30);
    for (Operation operation : Operation.all()) {
      for (long size : sizes) {
        Optional<BoundReport> bound = reporter.report(operation, size);
        Optional<Prediction> prediction = predict(result.get(), Call.of(operation, size));
        if (prediction.isEmpty() || bound.isEmpty()) {
          counts.other("refused or without a bound");
        } else {
          compare(prediction.get(), bound.get());
        }
      }
    }
  }

  private static Optional<Prediction> predict(JobResult result, Call call) {
    try {
      return result.predictor().predict(call);
    } catch (SettingException e) {
      return Optional.empty();
    }
  }

  private void compare(Prediction prediction, BoundReport bound) {
    counts.check(
        "%s %d bytes: %s us, bound %s us"
            .formatted(
                prediction.call().operation(),
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
