package dev.topo.hw.run;

/** Pseudo-random numbers from a seed and an index ({@code java.util.SplittableRandom}'s mix). */
final class Hash {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private Hash() {}

  static long of(long seed, long place) {
    long z = (seed + 1) * GOLDEN_GAMMA + place;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** Number from 0 to below {@code bound}. */
  static int below(int bound, long seed, long place) {
    return (int) Long.remainderUnsigned(of(seed, place), bound);
  }
}
