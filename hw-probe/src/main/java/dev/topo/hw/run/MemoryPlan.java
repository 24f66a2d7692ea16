package dev.topo.hw.run;

import java.util.List;

/**
 * Calls whose memory is measured: after {@code ncclCommInitRank}, one after another on the same two
 * buffers, which NCCL does not know.
 *
 * @param calls the calls in order
 */
public record MemoryPlan(List<Call> calls) {
  /** Buffers of this size are large enough for all usual steps. */
  private static final long LEAST_BYTES = 256L << 20;

  /** The first step. */
  public static final String INIT = "init";

  public MemoryPlan {
    calls = List.copyOf(calls);
  }

  /**
   * A call.
   *
   * @param step its name as {@code topo memory --steps} has it
   * @param sizeBytes its size as nccl-tests counts it
   */
  public record Call(String step, RunCollective collective, long sizeBytes) {}

  /** The size of each buffer. */
  public long bufferBytes() {
    return calls.stream().mapToLong(Call::sizeBytes).reduce(LEAST_BYTES, Math::max);
  }
}
