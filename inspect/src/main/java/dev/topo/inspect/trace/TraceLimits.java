package dev.topo.inspect.trace;

/** Largest values in a trace; larger ones indicate damage and would overflow in sums. */
final class TraceLimits {
  static final int MOST_RANKS = 1 << 20;

  /** Most elements of a buffer: more than any GPU holds. */
  static final long MOST_ELEMENTS = 1L << 40;

  /** Most bytes of a call, 16 TiB: more than the largest number of elements takes. */
  static final long MOST_BYTES = 1L << 44;

  private TraceLimits() {}
}
