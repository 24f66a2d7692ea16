package dev.topo.inspect.trace;

/**
 * Counts the memory of data that a reader keeps from a file. It is bounded for any file: a
 * compressed file of a few KB can have millions of values. Not thread-safe.
 */
final class KeptMemory {
  /** Most memory, in bytes: ten million calls, while the trace of a rank has thousands. */
  private static final long MOST_BYTES = 512L << 20;

  /** Error for a file that needs more memory. */
  public static final String TOO_MUCH =
      "more than %s MiB of calls and values, expected the trace of a rank"
          .formatted(MOST_BYTES >> 20);

  // Approximate memory in Java.
  private static final int KIND_BYTES = 256;

  /** Memory of a rank in a list, or of the bytes sent to one. */
  public static final int RANK_BYTES = 24;

  private long bytes;

  /**
   * Counts memory.
   *
   * @return whether the total is too much
   */
  boolean isTooMuchWith(long more) {
    bytes += more;
    return bytes > MOST_BYTES;
  }

  /**
   * Memory of a kind of calls with the bytes for each rank. Ranks of its group are stored once for
   * all kinds of the group, but traversed for each.
   */
  static long of(CallKind kind) {
    return KIND_BYTES
        + 2L * (kind.name().length() + kind.group().name().length())
        + 2L * kind.group().size()
        + (long) RANK_BYTES * kind.sent().size();
  }
}
