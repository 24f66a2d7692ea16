package dev.topo.search.path;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;

/**
 * How data gets from one rank to another ({@code ncclTransports}, {@code nccl:src/transport.cc}).
 */
public enum Transport {
  /** Within a GPU. */
  COPY,
  /** From GPU to GPU. */
  P2P,
  /** Through memory of the host. */
  SHM,
  NET;

  /** The transport between two GPUs of a node, by their place among its GPUs. */
  public static Transport between(Domain node, int gpu, int peer, NcclSettings settings) {
    if (gpu == peer) {
      return COPY;
    }
    Topology topology = node.topology();
    int[] gpus = topology.indexes(NodeType.GPU);
    PathType type = node.paths().type(gpus[gpu], gpus[peer]);
    if (!type.isWithin(PathType.SYS)) {
      return NET;
    }
    return type.isWithin(PathFinder.p2pLevel(topology, settings, node.profile())) ? P2P : SHM;
  }
}
