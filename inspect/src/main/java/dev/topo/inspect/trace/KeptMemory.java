package dev.topo.inspect.trace;

import dev.topo.model.io.TopologyFormatException;
import java.util.function.Function;

/**
 * Limits the memory of data that a reader keeps from a file: a compressed file of a few KB can have
 * millions of values. Not thread-safe.
 */
final class KeptMemory {
  /** Limit in bytes: ten million calls, while the trace of a rank has thousands. */
  private static final long MAX_BYTES = 512L << 20;

  // Approximate memory in the Java heap.
  private static final int KIND_BYTES = 256;

  /** Memory of a rank in a list, or of the bytes sent to one. */
  public static final int RANK_BYTES = 24;

  private final Function<String, TopologyFormatException> wrong;
  private long bytes;

  /**
   * Counts the memory of a file.
   *
   * @param wrong an error at the current place of the file
   */
  KeptMemory(Function<String, TopologyFormatException> wrong) {
    this.wrong = wrong;
  }

  /**
   * Adds to the memory in use.
   *
   * @throws TopologyFormatException if the total now exceeds the limit
   */
  void reserve(long more) {
    bytes += more;
    if (bytes > MAX_BYTES) {
      throw wrong.apply(
          "more than %s MiB of calls and values, expected the trace of a rank"
              .formatted(MAX_BYTES >> 20));
    }
  }

  /**
   * Approximate memory of a kind of calls, in bytes. The ranks of its group are stored only once
   * for all kinds, but each kind counts for them because it traverses them.
   */
  static long of(CallKind kind) {
    return KIND_BYTES
        + 2L * (kind.name().length() + kind.group().name().length())
        + 2L * kind.group().size()
        + (long) RANK_BYTES * kind.sent().size();
  }
}
