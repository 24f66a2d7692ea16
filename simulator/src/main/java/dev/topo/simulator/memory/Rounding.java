package dev.topo.simulator.memory;

/** Rounding of sizes as allocators do it. */
final class Rounding {
  private Rounding() {}

  /** The least multiple of a grain that is not less. */
  static long up(long bytes, long grain) {
    return (bytes + grain - 1) / grain * grain;
  }
}
