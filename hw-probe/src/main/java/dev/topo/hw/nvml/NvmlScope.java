package dev.topo.hw.nvml;

/** Source of the driver's data. */
@FunctionalInterface
public interface NvmlScope {
  /**
   * Queries the driver; returns its data, without native handles, or the reason why it cannot be
   * queried.
   */
  Observation<NvmlSnapshot> observe();

  /** Scope without a driver. */
  static NvmlScope absent(String reason) {
    return () -> Observation.absent(reason);
  }

  /** Scope that replays recorded data. */
  static NvmlScope recorded(NvmlSnapshot snapshot) {
    return () -> Observation.of(snapshot);
  }
}
