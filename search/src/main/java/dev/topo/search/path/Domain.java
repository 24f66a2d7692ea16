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
}
