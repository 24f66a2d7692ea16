package dev.topo.search.path;

import dev.topo.model.Topology;
import java.util.Objects;

/**
 * GPUs of one machine that reach each other without the network, with all that is around them: what
 * NCCL's ranks on these GPUs take for their node and search on.
 *
 * @param paths the paths between their devices
 * @param crossesNetwork whether the job has further GPUs, which are reached over the network
 */
public record Domain(Paths paths, boolean crossesNetwork) {
  /** Checks that the paths are there. */
  public Domain {
    Objects.requireNonNull(paths, "paths");
  }

  /** The devices of the domain. */
  public Topology topology() {
    return paths.topology();
  }
}
