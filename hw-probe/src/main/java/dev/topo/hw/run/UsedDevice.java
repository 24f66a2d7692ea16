package dev.topo.hw.run;

/**
 * Participating GPU.
 *
 * @param rank its rank among all GPUs of the run
 */
public record UsedDevice(
    int rank, int color, long pid, String host, int device, String busId, String name) {
  /** Bus id without the function, as nccl-tests writes it: {@code 0000:4f:00}. */
  public String cardBusId() {
    return busId.replaceFirst("\\.[0-9a-f]$", "");
  }
}
