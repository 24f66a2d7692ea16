package dev.topo.hw.nvml;

import java.util.List;

/**
 * The data of NVIDIA's driver about a machine at one moment.
 *
 * @param driverVersion {@code 580.95.05}
 * @param cudaVersion the newest CUDA the driver supports, {@code 13000} for 13.0
 */
public record NvmlSnapshot(
    String driverVersion, int cudaVersion, List<NvmlDevice> devices, List<Peer> peers) {
  public NvmlSnapshot {
    devices = List.copyOf(devices);
    peers = List.copyOf(peers);
  }

  /** Access of a GPU to the memory of another, according to NVML. */
  public record Peer(int from, int to, boolean read, boolean write) {}
}
