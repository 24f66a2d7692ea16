package dev.topo.search.path;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.path.PathFinder.PeerLimit;

/** The transports between two ranks ({@code ncclTransports}, {@code nccl:src/transport.cc}). */
public enum Transport {
  /** Within a GPU. */
  COPY,
  /** From GPU to GPU. */
  P2P,
  /** Through host memory. */
  SHM,
  NET;

  /** The transport between two GPUs of a node, by index among its GPUs. */
  public static Transport between(Domain node, int gpu, int peer, NcclSettings settings) {
    if (gpu == peer) {
      return COPY;
    }
    int[] gpus = node.topology().indexes(NodeType.GPU);
    if (!node.paths().type(gpus[gpu], gpus[peer]).isWithin(PathType.SYS)) {
      return NET;
    }
    return PeerLimit.of(node.paths(), settings).allows(gpus[gpu], gpus[peer]) ? P2P : SHM;
  }
}
