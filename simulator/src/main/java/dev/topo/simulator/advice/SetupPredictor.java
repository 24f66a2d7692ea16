package dev.topo.simulator.advice;

import dev.topo.model.job.Job;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Protocol;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.advice.Alternative.TimeRange;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Predicts the calls of a job with one setup. Not thread-safe.
 *
 * @param result the job with the setup
 * @param onPlain predictor for the same job with plain buffers
 */
public record SetupPredictor(Setup setup, JobResult result, CallPredictor onPlain) {
  /**
   * Evaluates a job with a setup.
   *
   * @param request the job with its own settings
   */
  public static SetupPredictor of(JobEvaluator evaluator, JobRequest request, Setup setup) {
    Job job = request.job().withSettings(settings -> settings.with(setup.settings()));
    JobRequest changed =
        request
            .withJob(job)
            .withCalls(List.of())
            .withCalibration(request.selectedCalibration())
            .withContext(request.context().withBuffers(setup.buffers()));
    JobResult result = evaluator.evaluate(changed);
    return new SetupPredictor(
        setup,
        result,
        setup.buffers() == Buffers.PLAIN
            ? result.predictor()
            : evaluator
                .evaluate(changed.withContext(request.context().withBuffers(Buffers.PLAIN)))
                .predictor());
  }

  /** True if NCCL's behaviour with the buffers of the setup is known. */
  public boolean isKnown() {
    return setup.buffers().unknown(result.communicator().profile()).isEmpty();
  }

  /** Predicts a call with NCCL's choice; empty if NCCL refuses it or its time is unknown. */
  public Optional<Alternative> byChoice(Call call) {
    return result.predict(call).map(time -> variant(call, time, Optional.empty()));
  }

  /**
   * Predicts a collective with each pair that the tuner plugin could choose instead. There is none
   * if NCCL runs a kernel of symmetric windows, which no tuner plugin changes. On registered
   * buffers only LL and LL128 are considered, which take as long as on plain ones.
   */
  public List<Alternative> byPairs(Call call) {
    if (!(call instanceof CollectiveCall collective)) {
      return List.of();
    }
    CallPredictor predictor = result.predictor();
    Optional<CollectivePrediction> chosen = predictor.predict(collective, false);
    if (chosen.isEmpty() || chosen.get().kernel().isPresent()) {
      return List.of();
    }
    List<Alternative> variants = new ArrayList<>();
    for (CollectivePrediction other : onPlain.predictEach(collective, false)) {
      Pair pair = other.pair();
      boolean isComparable =
          other.source() == chosen.get().source()
              && (setup.buffers() == Buffers.PLAIN || other.protocol() != Protocol.SIMPLE);
      if (isComparable && !pair.equals(chosen.get().pair())) {
        variants.add(variant(call, other, Optional.of(pair)));
      }
    }
    return variants;
  }

  private Alternative variant(Call call, Prediction time, Optional<Pair> forced) {
    boolean isPair = time.kernel().isEmpty();
    return new Alternative(
        call,
        setup,
        forced,
        time.tunedAlgorithm().filter(algorithm -> isPair),
        Optional.of(time.protocol()).filter(protocol -> isPair),
        time.kernel(),
        time.channels(),
        time.mostChannels(),
        time.timeUs(),
        TimeRange.of(time.shortestUs(), time.longestUs()),
        time.source());
  }
}
