package dev.topo.inspect.trace;

/**
 * Counts the memory of what a reader keeps of a file, which is bounded whatever the file holds: a
 * compressed file of a few KB can have millions of values. Not for use by several threads at once.
 */
final class KeptMemory {
  /** Ten million calls, of which the trace of a rank has thousands. */
  private static final long MOST_BYTES = 512L << 20;

  /** The error of a file that needs more. */
  public static final String TOO_MUCH =
      "more than %d MiB of calls and values, expected the trace of a rank"
          .formatted(MOST_BYTES >> 20);

  // About what Java needs.
  private static final int KIND_BYTES = 256;

  /** A rank in a list, or what is sent to one. */
  public static final int RANK_BYTES = 24;

  private long bytes;

  /**
   * Counts more.
   *
   * @return whether all of it is too much
   */
  boolean isTooMuchWith(long more) {
    bytes += more;
    return bytes > MOST_BYTES;
  }

  /**
   * The memory of a kind of calls with what is sent to each rank. Ranks of its group are kept once
   * for all kinds of the group, but gone through for each.
   */
  static long of(CallKind kind) {
    return KIND_BYTES
        + 2L * (kind.name().length() + kind.group().name().length())
        + 2L * kind.group().size()
        + (long) RANK_BYTES * kind.sent().size();
  }
}
