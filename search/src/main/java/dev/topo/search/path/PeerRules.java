package dev.topo.search.path;

import dev.topo.model.NodeType;
import dev.topo.model.PathType;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;

/**
 * Exchange of data between two GPUs directly, or at all without the network ({@code
 * ncclTopoCheckP2p}, {@code ncclTopoCheckNet} in {@code nccl:src/graph/paths.cc}; {@code
 * canConnect} of the P2P and SHM transports). CUDA is taken to support P2P between all GPUs.
 */
final class PeerRules {
  private final Topology topology;
  private final PathTable table;
  private final NcclSettings settings;
  private final PathType level;
  private final PathType nearNet;
  private final int[] nets;

  PeerRules(
      Topology topology, PathTable table, NcclSettings settings, PathType level, PathType nearNet) {
    this.topology = topology;
    this.table = table;
    this.settings = settings;
    this.level = level;
    this.nearNet = nearNet;
    this.nets = topology.indexes(NodeType.NET);
  }

  /** True if the path is near enough for P2P. */
  boolean isDirect(int from, int to) {
    return table.type(from, to).isWithin(level);
  }

  /**
   * True if data can go by P2P or through shared memory, and neither is slower than the network.
   */
  boolean canConnect(int from, int to) {
    boolean p2p = isDirect(from, to) && (goesThroughGpu(from, to) || !networkIsFaster(from, to));
    return p2p || (settings.sharedMemory() && sameHost(from, to) && !networkIsFaster(from, to));
  }

  private boolean sameHost(int a, int b) {
    return topology.node(a).id().systemId() == topology.node(b).id().systemId();
  }

  private boolean goesThroughGpu(int from, int to) {
    return table.hops(from, to) == 2
        && topology.node(table.links().to(table.links(from, to)[0])).type() == NodeType.GPU;
  }

  private boolean networkIsFaster(int from, int to) {
    float bw = table.bwGBps(from, to);
    return settings.networkInsideNode() && fastestNearNet(from) > bw && fastestNearNet(to) > bw;
  }

  private float fastestNearNet(int gpu) {
    float fastest = 0;
    for (int net : nets) {
      if (table.type(gpu, net).isWithin(nearNet)) {
        fastest = Math.max(fastest, table.bwGBps(gpu, net));
      }
    }
    return fastest;
  }
}
