package dev.topo.inspect.trace;

/** Largest values in a trace; larger ones indicate damage and would overflow in sums. */
final class TraceLimits {
  static final int MAX_RANKS = 1 << 20;

  /** Maximum number of elements of a buffer: more than any GPU holds. */
  static final long MAX_ELEMENTS = 1L << 40;

  /** Maximum size of a call, 16 TiB: more than the largest number of elements takes. */
  static final long MAX_BYTES = 1L << 44;

  private TraceLimits() {}
}
