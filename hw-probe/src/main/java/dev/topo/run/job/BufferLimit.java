package dev.topo.run.job;

/**
 * How large the two buffers of a GPU may be ({@code run}, {@code nccl-tests:src/common.cu},
 * 2.19.6): some memory is left to others, and with checks room for a third buffer, though results
 * are compared on the host here, so that the same call has the same sizes.
 */
public final class BufferLimit {
  private static final long GIB = 1L << 30;
  private static final long GIB_PER_RESERVED_GIB = 16;
  private static final long MOST_RESERVED_GIB = 4;

  private BufferLimit() {}

  public static long of(long memoryBytes, boolean checks) {
    long units = (memoryBytes + GIB_PER_RESERVED_GIB * GIB - 1) / (GIB_PER_RESERVED_GIB * GIB);
    long reserved = Math.min(units, MOST_RESERVED_GIB) * GIB;
    return Math.max(0, (memoryBytes - reserved - GIB) / (checks ? 3 : 2));
  }
}
