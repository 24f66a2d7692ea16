package dev.topo.search.path;

import dev.topo.model.Topology;
import dev.topo.search.rules.NcclProfile;

/**
 * GPUs of one machine that reach each other without the network, with all that is around them: what
 * NCCL's ranks on these GPUs take for their node and search on.
 *
 * @param paths the paths between their devices
 * @param crossesNetwork whether the job has further GPUs, which are reached over the network
 */
public record Domain(Paths paths, boolean crossesNetwork) {

  public Topology topology() {
    return paths.topology();
  }

  /** The rules that the paths were found by. */
  public NcclProfile profile() {
    return paths.profile();
  }

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
}
