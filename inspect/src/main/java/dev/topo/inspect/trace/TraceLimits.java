package dev.topo.inspect.trace;

/** The largest numbers of calls; what is larger is damage, and would overflow in sums of them. */
final class TraceLimits {
  static final int MOST_RANKS = 1 << 20;

  /** Elements of a buffer: more than any GPU holds. */
  static final long MOST_ELEMENTS = 1L << 40;

  /** Bytes of a call, 16 TiB: more than the largest elements have. */
  static final long MOST_BYTES = 1L << 44;

  private TraceLimits() {}
}
