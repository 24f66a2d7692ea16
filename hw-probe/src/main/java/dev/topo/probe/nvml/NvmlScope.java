package dev.topo.probe.nvml;

import dev.topo.probe.observation.Observation;

/** Something that can be asked what NVIDIA's driver says about the GPUs. */
@FunctionalInterface
public interface NvmlScope {
  /** What the driver says, or why it cannot be asked. What is returned holds no handle. */
  Observation<NvmlSnapshot> observe();

  /** A scope that has nothing to say. */
  static NvmlScope absent(String reason) {
    return () -> Observation.absent(reason);
  }

  /** A scope that says what was recorded. */
  static NvmlScope recorded(NvmlSnapshot snapshot) {
    return () -> Observation.of(snapshot);
  }
}
