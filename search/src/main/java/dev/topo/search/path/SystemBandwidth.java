package dev.topo.search.path;

/**
 * The highest bandwidth of the GPUs of a domain. NCCL's log has both numbers in the line that
 * starts with {@code === System} ({@code ncclTopoSearchInit}, {@code nccl:src/graph/search.cc}).
 *
 * @param maxGBps the most that a single channel can carry
 * @param totalGBps the most that a GPU can carry over all its links of one kind
 */
public record SystemBandwidth(float maxGBps, float totalGBps) {
  public static SystemBandwidth of(Domain domain) {
    if (!domain.crossesNetwork() && domain.topology().gpus().size() == 1) {
      float local = domain.profile().links().local();
      return new SystemBandwidth(local, domain.profile().paths().oneGpuTotalGBps);
    }
    Paths.Bounds bounds = domain.paths().bounds();
    return new SystemBandwidth(
        domain.crossesNetwork() ? bounds.toPortGBps() : bounds.toGpuGBps(), bounds.totalGBps());
  }
}
