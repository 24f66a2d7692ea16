package dev.topo.simulator.memory;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds settings that lower the memory of NCCL, and their cost in speed. Each setting is tried
 * alone, with the answers of {@link MemoryModel} or {@link GroupsModel} and the predicted times of
 * the steps' calls. Settings that the job states are not changed.
 *
 * @param evaluator evaluates the requests
 * @param requests requests of the communicators, with their calls
 * @param model the memory for the evaluated communicators, in the order of the requests
 */
public record SavingFinder(
    JobEvaluator evaluator,
    List<JobRequest> requests,
    Function<List<Communicator>, MemoryAnswer> model) {
  /** NCCL's settings that affect memory, each with a value that lowers it. */
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

  /**
   * A finder for a job.
   *
   * @param halves requests of the communicators of the even and of the odd ranks; empty if no step
   *     splits the job into these
   * @param steps the calls of the job
   */
  public static SavingFinder of(
      JobEvaluator evaluator, JobRequest request, List<JobRequest> halves, List<MemoryStep> steps) {
    List<MemoryStep> ofHalves = steps.stream().filter(SavingFinder::isOfHalves).toList();
    List<MemoryStep> ofAll = steps.stream().filter(step -> !isOfHalves(step)).toList();
    List<JobRequest> requests = new ArrayList<>(List.of(request.withCalls(calls(ofAll))));
    halves.forEach(half -> requests.add(half.withCalls(calls(ofHalves))));
    return new SavingFinder(
        evaluator,
        requests,
        evaluated ->
            new MemoryModel(evaluated.get(0), () -> evaluated.subList(1, evaluated.size()))
                .answer(steps));
  }

  private static boolean isOfHalves(MemoryStep step) {
    return step instanceof MemoryStep.CollectiveStep call
            && call.group() == MemoryStep.Group.SPLIT_HALVES
        || step instanceof MemoryStep.PeerStep peers
            && peers.group() == MemoryStep.Group.SPLIT_HALVES;
  }

  /** A finder for a job whose ranks are members of several groups. */
  public static SavingFinder ofGroups(
      JobEvaluator evaluator, int nRanks, List<JobGroupRequest> groups) {
    return new SavingFinder(
        evaluator,
        groups.stream()
            .flatMap(
                kind ->
                    kind.members().stream()
                        .map(member -> member.request().withCalls(calls(kind.steps()))))
            .toList(),
        evaluated -> new GroupsModel(nRanks, kinds(groups, evaluated)).answer());
  }

  private static List<JobGroupKind> kinds(
      List<JobGroupRequest> groups, List<Communicator> evaluated) {
    List<JobGroupKind> kinds = new ArrayList<>();
    int first = 0;
    for (JobGroupRequest kind : groups) {
      int next = first + kind.members().size();
      kinds.add(kind.with(evaluated.subList(first, next)));
      first = next;
    }
    return kinds;
  }

  /** Settings that save memory, largest saving first. */
  public List<MemorySaving> find() {
    List<JobResult> unchanged = evaluate(NcclSettings.DEFAULTS);
    long fullestGpuBytes = fullestGpuBytes(unchanged);
    NcclSettings stated = requests.get(0).job().settings();
    List<MemorySaving> savings = new ArrayList<>();
    for (String candidate : CANDIDATES) {
      NcclSettings changed = NcclSettings.parse(List.of(candidate));
      if (changed.values().keySet().stream().noneMatch(stated.values()::containsKey)) {
        List<JobResult> modified = evaluate(changed);
        long saved = fullestGpuBytes - fullestGpuBytes(modified);
        if (saved > 0) {
          savings.add(new MemorySaving(candidate, saved, slowestChange(unchanged, modified)));
        }
      }
    }
    savings.sort(Comparator.comparingLong(MemorySaving::savedBytes).reversed());
    return savings;
  }

  private List<JobResult> evaluate(NcclSettings changed) {
    return requests.stream()
        .map(
            request ->
                request.withJob(request.job().withSettings(settings -> settings.with(changed))))
        .map(evaluator::evaluate)
        .toList();
  }

  /** NCCL's memory on the GPU that has the most. */
  private long fullestGpuBytes(List<JobResult> results) {
    MemoryAnswer answer = model.apply(results.stream().map(JobResult::communicator).toList());
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

  /**
   * Relative change of the busbw of the call that loses the most; empty without predicted times.
   */
  private static OptionalDouble slowestChange(List<JobResult> unchanged, List<JobResult> modified) {
    return IntStream.range(0, unchanged.size())
        .boxed()
        .flatMap(index -> changes(unchanged.get(index), modified.get(index)))
        .mapToDouble(Double::doubleValue)
        .min();
  }

  /** Relative changes of the busbw of each call. */
  private static Stream<Double> changes(JobResult unchanged, JobResult modified) {
    return unchanged.request().calls().stream()
        .flatMap(
            call ->
                unchanged.predict(call).stream()
                    .flatMap(
                        before ->
                            modified.predict(call).stream()
                                .map(after -> before.timeUs() / after.timeUs() - 1)));
  }
}
