package dev.topo.hw.nvml;

/** A source of the data of NVIDIA's driver. */
@FunctionalInterface
public interface NvmlScope {
  /** The driver's data, or why it cannot be queried. The result holds no native handle. */
  Observation<NvmlSnapshot> observe();

  /** A scope without a driver. */
  static NvmlScope absent(String reason) {
    return () -> Observation.absent(reason);
  }

  /** A scope that replays recorded data. */
  static NvmlScope recorded(NvmlSnapshot snapshot) {
    return () -> Observation.of(snapshot);
  }
}
