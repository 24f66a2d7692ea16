package dev.topo.search.path;

import dev.topo.model.Node.NodeType;
import dev.topo.model.PathType;
import dev.topo.model.Topology;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * How a GPU exchanges data with another of its node by P2P ({@code ncclTopoCheckP2p}, {@code
 * nccl:src/graph/paths.cc}).
 *
 * @param reads whether the receiver reads from the memory of the sender, where no setting states it
 * @param relay the GPU through whose NVLinks and memory it goes, by its place among those of the
 *     node
 */
public record PeerAccess(boolean reads, OptionalInt relay) {
  /** Compute capability of GPUs that read from each other over NVLink. */
  private static final int READING_SM = 80;

  /** True if a GPU of a node exchanges data with one of its others through a third. */
  public static boolean hasRelays(Domain node) {
    int gpus = node.topology().gpus().size();
    return IntStream.range(0, gpus * gpus)
        .anyMatch(pair -> between(node, pair / gpus, pair % gpus).relay().isPresent());
  }

  /** The access of a GPU to another, by their place among those of a node. */
  public static PeerAccess between(Domain node, int gpu, int peer) {
    Topology topology = node.topology();
    Paths paths = node.paths();
    int[] gpus = topology.indexes(NodeType.GPU);
    boolean reads =
        paths.type(gpus[gpu], gpus[peer]) == PathType.NVL
            && topology.gpus().get(gpu).sm() == READING_SM
            && topology.gpus().get(peer).sm() == READING_SM;
    int[] links = paths.links(gpus[gpu], gpus[peer]);
    return new PeerAccess(
        reads,
        links.length == 2 ? place(gpus, paths.linkTable().to(links[0])) : OptionalInt.empty());
  }

  private static OptionalInt place(int[] gpus, int node) {
    return IntStream.range(0, gpus.length).filter(place -> gpus[place] == node).findFirst();
  }
}
