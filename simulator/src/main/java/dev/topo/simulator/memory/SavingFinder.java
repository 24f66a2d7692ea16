package dev.topo.simulator.memory;

import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.PeerCall;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Finds settings that lower the memory that NCCL takes, with what they cost: each alone, by the
 * answers of {@link MemoryModel} and the predicted times of the calls of the steps. A setting that
 * the job states is not changed.
 */
public final class SavingFinder {
  /** NCCL's levers on memory, each at a value that lowers it. */
  private static final List<String> CANDIDATES =
      List.of(
          "NCCL_BUFFSIZE=1048576",
          "NCCL_LL128_BUFFSIZE=983040",
          "NCCL_MAX_CTAS=8",
          "NCCL_MAX_P2P_NCHANNELS=8",
          "NCCL_NVLS_ENABLE=0",
          "NCCL_NCHANNELS_PER_NET_PEER=1",
          "NCCL_COMM_SPLIT_SHARE_RESOURCES=1",
          "NCCL_CUMEM_ENABLE=0");

  private final JobEvaluator evaluator;
  private final JobRequest request;
  private final List<MemoryStep> steps;

  /**
   * A finder for a job.
   *
   * @param steps its calls, none of which splits the job into halves
   */
  public SavingFinder(JobEvaluator evaluator, JobRequest request, List<MemoryStep> steps) {
    this.evaluator = evaluator;
    this.request = request.withCalls(calls(steps));
    this.steps = List.copyOf(steps);
  }

  /** The settings that save something, those that save most first. */
  public List<MemorySaving> find() {
    JobResult now = evaluator.evaluate(request);
    long most = most(now);
    NcclSettings stated = request.job().machines().get(0).settings();
    List<MemorySaving> savings = new ArrayList<>();
    for (String candidate : CANDIDATES) {
      NcclSettings changed = NcclSettings.parse(List.of(candidate));
      if (changed.values().keySet().stream().noneMatch(stated.values()::containsKey)) {
        JobResult then = evaluator.evaluate(request.withJob(with(changed)));
        long saved = most - most(then);
        if (saved > 0) {
          savings.add(new MemorySaving(candidate, saved, slowestChange(now, then)));
        }
      }
    }
    savings.sort(Comparator.comparingLong(MemorySaving::savedBytes).reversed());
    return savings;
  }

  private Job with(NcclSettings changed) {
    return request.job().withSettings(settings -> settings.with(changed));
  }

  private long most(JobResult result) {
    MemoryAnswer answer = new MemoryModel(result.communicator(), List::of).answer(steps);
    return Arrays.stream(answer.totals(MemoryPlace.GPU)).max().orElse(0);
  }

  private static List<Call> calls(List<MemoryStep> steps) {
    return steps.stream()
        .flatMap(
            step -> {
              if (step instanceof MemoryStep.CollectiveStep call) {
                return Stream.of((Call) call.call());
              }
              return step instanceof MemoryStep.PeerStep call
                  ? Stream.of((Call) new PeerCall(call.operation(), call.sizeBytes()))
                  : Stream.empty();
            })
        .distinct()
        .toList();
  }

  private OptionalDouble slowestChange(JobResult now, JobResult then) {
    return request.calls().stream()
        .flatMap(
            call ->
                now.predict(call).stream()
                    .flatMap(
                        before ->
                            then.predict(call).stream()
                                .map(after -> before.timeUs() / after.timeUs() - 1)))
        .mapToDouble(Double::doubleValue)
        .min();
  }
}
