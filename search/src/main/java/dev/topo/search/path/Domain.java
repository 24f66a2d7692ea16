package dev.topo.search.path;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.search.rules.NcclProfile;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * GPUs of one machine that reach each other without the network, with the devices around them: a
 * node in NCCL's sense, the system on which its ranks search.
 *
 * @param paths the paths between these devices
 * @param crossesNetwork whether the job has further GPUs, which are reached over the network
 */
public record Domain(Paths paths, boolean crossesNetwork) {

  public Topology topology() {
    return paths.topology();
  }

  /** The rules under which the paths were found. */
  public NcclProfile profile() {
    return paths.profile();
  }

  /**
   * The highest bandwidths of the GPUs of a domain. NCCL's log has both numbers in the line that
   * starts with {@code === System} ({@code ncclTopoSearchInit}, {@code nccl:src/graph/search.cc}).
   *
   * @param maxGBps the highest bandwidth of a single channel
   * @param totalGBps the highest bandwidth of a GPU over all its links of one kind
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

  /**
   * How a GPU exchanges data with another of its node by P2P ({@code ncclTopoCheckP2p}, {@code
   * nccl:src/graph/paths.cc}).
   *
   * @param reads whether the receiver reads from the memory of the sender by default
   * @param relay the GPU whose NVLinks and memory relay the data, by index among the GPUs of the
   *     node
   */
  public record PeerAccess(boolean reads, OptionalInt relay) {
    /** Compute capability of GPUs that read from each other over NVLink. */
    private static final int READING_SM = 80;

    /** True if a GPU of a node exchanges data with another one through a third. */
    public static boolean hasRelays(Domain node) {
      int gpus = node.topology().gpus().size();
      return IntStream.range(0, gpus * gpus)
          .anyMatch(pair -> between(node, pair / gpus, pair % gpus).relay().isPresent());
    }

    /** The access of a GPU to another, by index among the GPUs of a node. */
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
          links.length == 2 ? index(gpus, paths.linkTable().to(links[0])) : OptionalInt.empty());
    }

    private static OptionalInt index(int[] gpus, int node) {
      return IntStream.range(0, gpus.length).filter(place -> gpus[place] == node).findFirst();
    }
  }
}
