package dev.topo.search.peer;

import dev.topo.model.Link;
import dev.topo.model.PathType;
import dev.topo.model.Topology;
import dev.topo.model.node.GpuNode;
import dev.topo.model.node.NodeType;
import dev.topo.model.settings.NcclSettings;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths;
import dev.topo.search.rules.ConnectRules;

/**
 * Channels of sends and receives, both powers of two ({@code ncclTopoComputeP2pChannels}, {@code
 * nccl:src/graph/paths.cc}).
 *
 * @param nChannels channels for all peers together
 * @param nChannelsPerPeer channels for one peer
 */
public record P2pChannels(int nChannels, int nChannelsPerPeer) {
  /**
   * The channels as the ranks of a node compute them.
   *
   * @param domain the node
   * @param nRanks ranks of the job
   * @param collChannels channels of collectives
   * @param maxForArguments channels whose work fits into the arguments of a kernel
   */
  public static P2pChannels of(
      Domain domain, int nRanks, int collChannels, NcclSettings userSettings, int maxForArguments) {
    NcclSettings settings = domain.profile().complete(userSettings);
    int maxChannels = domain.profile().connect().maxChannels;
    int wanted =
        Math.max(
            Math.min(collChannels, settings.integer("NCCL_MAX_P2P_NCHANNELS", maxChannels)),
            settings.integer("NCCL_MIN_P2P_NCHANNELS", 1));
    int perPeer = wanted;
    int[] gpus = domain.topology().indexes(NodeType.GPU);
    for (int g = 0; g < gpus.length; g++) {
      for (int peer : gpus) {
        if (peer != gpus[g]) {
          perPeer = Math.min(perPeer, toLocalPeer(domain.paths(), gpus[g], peer));
        }
      }
      if (nRanks > gpus.length) {
        perPeer = Math.min(perPeer, toRemotePeer(domain.paths(), g, nRanks, wanted, settings));
      }
    }
    int room = Math.max(1, Integer.highestOneBit(maxForArguments));
    int nChannels = Math.min(powerOfTwoFrom(wanted), room);
    return new P2pChannels(nChannels, Math.min(powerOfTwoFrom(perPeer), nChannels));
  }

  private static int toLocalPeer(Paths paths, int gpu, int peer) {
    ConnectRules rules = paths.profile().connect();
    if (paths.type(peer, gpu) != PathType.NVL) {
      return rules.peerChannels;
    }
    int sm = ((GpuNode) paths.topology().node(gpu)).sm();
    int links = (int) (paths.bwGBps(peer, gpu) / paths.profile().links().nvlink(sm));
    return rules.peerChannelsPerNvlink * Math.max(1, links);
  }

  private static int toRemotePeer(
      Paths paths, int gpu, int nRanks, int wanted, NcclSettings settings) {
    int stated = settings.integer("NCCL_NCHANNELS_PER_NET_PEER", 0);
    if (stated > 0) {
      return stated;
    }
    ConnectRules rules = paths.profile().connect();
    int perPeer = rules.peerChannels;
    while (perPeer > 1
        && (long) perPeer * nRanks > (long) rules.peerOperationsPerChannel * wanted) {
      perPeer /= 2;
    }
    return Math.max(netsToFill(paths, gpu), perPeer);
  }

  /**
   * Ports that it takes to carry what the GPU can send to its CPU ({@code getLocalNetCountByBw},
   * {@code nccl:src/graph/topo.cc}).
   */
  private static int netsToFill(Paths paths, int gpu) {
    Topology topology = paths.topology();
    int from = topology.indexes(NodeType.GPU)[gpu];
    int[] nets = topology.indexes(NodeType.NET);
    float gpuBw = 0;
    for (Link link : topology.links(from)) {
      if (topology.node(link.to()).type() == NodeType.CPU) {
        gpuBw = link.bwGBps();
      }
    }
    int count = 0;
    float netBw = 0;
    for (int net : paths.localDevices().netsNear(gpu)) {
      if (netBw >= gpuBw) {
        break;
      }
      netBw += paths.bwGBps(from, nets[net]);
      count++;
    }
    return count;
  }

  private static int powerOfTwoFrom(int value) {
    return value <= 1 ? 1 : Integer.highestOneBit(value - 1) << 1;
  }
}
