package dev.topo.hw.nvml;

import java.util.List;

/**
 * Data of NVIDIA's driver about a machine at one time.
 *
 * @param driverVersion {@code 580.95.05}
 * @param cudaVersion newest CUDA version that the driver supports, {@code 13000} for 13.0
 */
public record NvmlSnapshot(
    String driverVersion, int cudaVersion, List<NvmlDevice> devices, List<Peer> peers) {
  public NvmlSnapshot {
    devices = List.copyOf(devices);
    peers = List.copyOf(peers);
  }

  /** Access of one GPU to the memory of another, according to NVML. */
  public record Peer(int from, int to, boolean read, boolean write) {}
}
