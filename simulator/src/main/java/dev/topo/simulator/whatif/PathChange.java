package dev.topo.simulator.whatif;

import dev.topo.model.PathType;
import java.util.Optional;

/**
 * A path that is another one afterwards.
 *
 * @param from a GPU, by its device number
 * @param to a GPU, or a port by its name
 * @param before how it was; empty if there was none
 * @param after how it is; empty if there is none
 */
public record PathChange(String from, String to, Optional<Way> before, Optional<Way> after) {
  /**
   * How a path leads.
   *
   * @param type its type
   * @param bwGBps its bandwidth in GB/s
   * @param gdr whether GPUDirect RDMA is used on it; always false between GPUs
   */
  public record Way(PathType type, float bwGBps, boolean gdr) {}
}
