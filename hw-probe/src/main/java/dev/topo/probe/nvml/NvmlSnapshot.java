package dev.topo.probe.nvml;

import java.util.List;

/**
 * The data of NVIDIA's driver about a machine at one moment.
 *
 * @param driverVersion {@code 580.95.05}
 * @param cudaVersion the newest CUDA the driver supports, {@code 13000} for 13.0
 */
public record NvmlSnapshot(
    String driverVersion, int cudaVersion, List<NvmlDevice> devices, List<NvmlPeer> peers) {
  public NvmlSnapshot {
    devices = List.copyOf(devices);
    peers = List.copyOf(peers);
  }
}
