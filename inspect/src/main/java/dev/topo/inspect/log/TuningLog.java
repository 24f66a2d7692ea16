package dev.topo.inspect.log;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import java.math.BigDecimal;
import java.util.List;

/**
 * Tuner table of a rank, and its choices for calls ({@code ncclTopoTuneModel}, {@code
 * nccl:src/graph/tuning.cc}, and {@code scheduleCollTasksToPlan}, {@code nccl:src/enqueue.cc}).
 *
 * @param threads largest numbers of threads per channel
 * @param model latency and bandwidth
 * @param thresholds bytes per thread, in NCCL's order; empty if not logged
 * @param choices one for each call of rank 0, the only rank to log them
 * @param kernels one for each launch of a symmetric kernel by rank 0, from 2.28 on
 */
public record TuningLog(
    List<MaxThreads> threads,
    List<Model> model,
    List<Long> thresholds,
    List<Choice> choices,
    List<Kernel> kernels) {
  public TuningLog {
    threads = List.copyOf(threads);
    model = List.copyOf(model);
    thresholds = List.copyOf(thresholds);
    choices = List.copyOf(choices);
    kernels = List.copyOf(kernels);
  }

  /** Number in the line {@code Max NThreads}: largest number of threads per channel. */
  public record MaxThreads(Algorithm algorithm, Protocol protocol, int threads) {}

  /**
   * Cell of the table, with one decimal; the bandwidth is 0 if the pair is not used, from 2.31 on
   * -1 or any other number.
   */
  public record Model(
      Collective collective,
      Algorithm algorithm,
      Protocol protocol,
      BigDecimal latencyUs,
      BigDecimal bandwidthGBps) {}

  /**
   * {@code AllReduce: 8 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..0}}.
   *
   * @param countBytes size of the call's count: for AllGather the bytes that a rank sends, for
   *     ReduceScatter those that it receives
   */
  public record Choice(
      Collective collective,
      long countBytes,
      Algorithm algorithm,
      Protocol protocol,
      int firstChannel,
      int lastChannel) {}

  /**
   * {@code AllReduce [Symmetric]: 8 Bytes -> Kernel AllReduce_AGxLL_R nchannels 1 nthreads 512
   * nWorks 1} ({@code ncclSymmetricTaskScheduler}, {@code nccl:src/scheduler/symmetric_sched.cc}).
   *
   * @param countBytes size of the counts of all its calls, as in {@link Choice}
   * @param name NCCL's name of the kernel
   * @param calls number of calls; 1 in releases that do not log it
   */
  public record Kernel(
      Collective collective, long countBytes, String name, int channels, int threads, int calls) {}
}
