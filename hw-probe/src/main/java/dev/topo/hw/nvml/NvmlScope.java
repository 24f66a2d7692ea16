package dev.topo.hw.nvml;

/** Source of the driver's data. */
@FunctionalInterface
public interface NvmlScope {
  /**
   * Data of the driver, or the reason why it cannot be queried. The result holds no native handle.
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
