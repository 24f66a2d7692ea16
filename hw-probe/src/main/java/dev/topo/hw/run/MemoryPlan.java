package dev.topo.hw.run;

import java.util.List;

/**
 * Calls whose memory is measured: after {@code ncclCommInitRank}, one after another on the same two
 * unregistered buffers.
 *
 * @param calls the calls in order
 */
public record MemoryPlan(List<Call> calls) {
  /** Minimum size of a buffer, enough for all usual steps. */
  private static final long MIN_BYTES = 256L << 20;

  /** Name of the first step. */
  public static final String INIT = "init";

  public MemoryPlan {
    calls = List.copyOf(calls);
  }

  /**
   * Call with its step.
   *
   * @param step its name in {@code topo memory --steps}
   * @param sizeBytes its size as nccl-tests counts it
   */
  public record Call(String step, RunCollective collective, long sizeBytes) {}

  /** Size of each buffer. */
  public long bufferBytes() {
    return calls.stream().mapToLong(Call::sizeBytes).reduce(MIN_BYTES, Math::max);
  }
}
