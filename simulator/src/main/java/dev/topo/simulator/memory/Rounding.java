package dev.topo.simulator.memory;

/** Rounding of sizes as done by allocators. */
final class Rounding {
  private Rounding() {}

  /** Least multiple of a grain that is not below a value. */
  static long up(long bytes, long grain) {
    return (bytes + grain - 1) / grain * grain;
  }
}
