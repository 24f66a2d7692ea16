package dev.topo.simulator.memory;

import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.transfer.PeerPlanner;
import dev.topo.simulator.evaluate.JobResult;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The memory that NCCL takes for a job and its calls: of the GPU that it takes most of, and of the
 * host by the process of that GPU.
 *
 * @param gpuBytes bytes of the GPU
 * @param hostSharedBytes shared resident memory of the process
 * @param isMeasuredBuild whether what the library itself takes was measured with this release on
 *     such GPUs; an estimate else
 * @param omissions memory that NCCL takes and that is not in the figures, for people
 */
public record JobMemory(
    long gpuBytes, long hostSharedBytes, boolean isMeasuredBuild, List<String> omissions) {
  public JobMemory {
    omissions = List.copyOf(omissions);
  }

  /**
   * The ranks of the largest job whose memory is added up beside another answer; each rank is, and
   * an all-to-all has the square of them: 1,024 take some 4 s.
   */
  public static final int MOST_RANKS = 1024;

  /**
   * The memory of a job after its initialization and some calls.
   *
   * @return empty for more than {@link #MOST_RANKS} ranks, and where a call sends and receives by
   *     rules that are not modelled
   */
  public static Optional<JobMemory> of(JobResult result, List<? extends Call> calls) {
    return isKnown(result, calls)
        ? Optional.of(
            of(new MemoryModel(result.communicator(), List::of).answer(steps(result, calls))))
        : Optional.empty();
  }

  /** Memory that is not in the figures of a job, for people; none where there are no figures. */
  public static List<String> omissions(JobResult result, List<? extends Call> calls) {
    return isKnown(result, calls) ? MemoryModel.omissions(result.communicator()) : List.of();
  }

  private static boolean isKnown(JobResult result, List<? extends Call> calls) {
    return !isTooLarge(result.connection().nRanks()) && isModelled(result, calls);
  }

  /** True if the memory of such calls is known by the rules of the job's release. */
  public static boolean isModelled(JobResult result, List<? extends Call> calls) {
    return PeerPlanner.covers(result.connection().profile())
        || calls.stream().noneMatch(PeerCall.class::isInstance);
  }

  /** True if a job has more ranks than are added up. */
  public static boolean isTooLarge(int ranks) {
    return ranks > MOST_RANKS;
  }

  /** The memory of an answer. */
  public static JobMemory of(MemoryAnswer answer) {
    int rank = answer.fullestRank();
    return new JobMemory(
        answer.total(rank, MemoryPlace.GPU),
        answer.total(rank, MemoryPlace.HOST_SHARED),
        answer.isMeasuredBuild(),
        answer.omissions());
  }

  /** True if the figures are not those that a run would have, by what is known. */
  public boolean isEstimate() {
    return !isMeasuredBuild || !omissions.isEmpty();
  }

  /**
   * Initialization and some calls as steps; of sends and receives the largest of each operation
   * connects all.
   */
  public static List<MemoryStep> steps(JobResult result, List<? extends Call> calls) {
    Buffers buffers = result.request().context().buffers();
    List<MemoryStep> steps = new ArrayList<>(List.of(new MemoryStep.Init()));
    if (buffers == Buffers.SYMMETRIC) {
      steps.add(MemoryStep.OfBuffers.WINDOWS);
    }
    Map<PeerOperation, Long> largest = new EnumMap<>(PeerOperation.class);
    for (Call call : calls) {
      if (call instanceof CollectiveCall collective) {
        steps.add(new MemoryStep.CollectiveStep(MemoryStep.Group.JOB, collective, buffers));
      } else if (call instanceof PeerCall peers && peers.operation().isOneCall()) {
        largest.merge(peers.operation(), peers.sizeBytes(), Math::max);
      }
    }
    largest.forEach(
        (operation, bytes) ->
            steps.add(new MemoryStep.PeerStep(MemoryStep.Group.JOB, operation, bytes)));
    return steps;
  }
}
