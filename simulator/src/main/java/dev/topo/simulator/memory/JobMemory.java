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
 * Memory that NCCL takes for a job and its calls, on the GPU that has the most, and in the process
 * of that GPU.
 *
 * @param gpuBytes bytes on the GPU
 * @param hostSharedBytes shared resident memory of the process
 * @param isMeasuredBuild whether the library's own memory was measured with this release on such
 *     GPUs; otherwise it is an estimate
 * @param omissions memory of NCCL that the figures do not include, in words
 */
public record JobMemory(
    long gpuBytes, long hostSharedBytes, boolean isMeasuredBuild, List<String> omissions) {
  public JobMemory {
    omissions = List.copyOf(omissions);
  }

  /**
   * Most ranks of a job whose memory is computed in addition to another answer. Run time grows with
   * the number of ranks, and for an all-to-all with its square; 1,024 ranks take about 4 s.
   */
  public static final int MOST_RANKS = 1024;

  /**
   * Memory of a job after its initialization and the given calls.
   *
   * @return the memory; empty for more than {@link #MOST_RANKS} ranks, and if a call sends and
   *     receives by rules that are not modelled
   */
  public static Optional<JobMemory> of(JobResult result, List<? extends Call> calls) {
    return isKnown(result, calls)
        ? Optional.of(
            of(
                new MemoryModel(result.communicator(), List::of)
                    .answer(steps(result.request().context().buffers(), calls))))
        : Optional.empty();
  }

  /** Memory that the figures of a job do not include, in words; empty if there are no figures. */
  public static List<String> omissions(JobResult result, List<? extends Call> calls) {
    return isKnown(result, calls) ? MemoryModel.omissions(result.communicator()) : List.of();
  }

  private static boolean isKnown(JobResult result, List<? extends Call> calls) {
    return !isTooLarge(result.connection().nRanks()) && isModelled(result, calls);
  }

  /** True if the memory of such calls is modelled for the job's release. */
  public static boolean isModelled(JobResult result, List<? extends Call> calls) {
    return PeerPlanner.covers(result.connection().profile())
        || calls.stream().noneMatch(PeerCall.class::isInstance);
  }

  /** True if a job has more than {@link #MOST_RANKS} ranks. */
  public static boolean isTooLarge(int ranks) {
    return ranks > MOST_RANKS;
  }

  /** Summary of a memory answer. */
  public static JobMemory of(MemoryAnswer answer) {
    int rank = answer.fullestRank();
    return new JobMemory(
        answer.total(rank, MemoryPlace.GPU),
        answer.total(rank, MemoryPlace.HOST_SHARED),
        answer.isMeasuredBuild(),
        answer.omissions());
  }

  /** True if the library's own memory is estimated or the figures omit memory. */
  public boolean isEstimate() {
    return !isMeasuredBuild || !omissions.isEmpty();
  }

  /**
   * The steps of initialization and calls. Of each operation of sends and receives only the largest
   * call counts, as it connects all peers.
   */
  public static List<MemoryStep> steps(Buffers buffers, List<? extends Call> calls) {
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
