package dev.topo.search.tuning;

import dev.topo.model.Link;
import dev.topo.model.LinkBandwidths;
import dev.topo.model.PathType;
import dev.topo.model.Topology;
import dev.topo.model.node.NodeType;
import dev.topo.model.path.Domain;
import dev.topo.model.path.Paths;
import dev.topo.model.settings.NcclSettings;

/**
 * Channels for point-to-point traffic ({@code ncclTopoComputeP2pChannels}, {@code
 * nccl:src/graph/paths.cc}, NCCL 2.28.9). Both numbers are powers of two.
 *
 * @param channels channels of all peers together
 * @param channelsPerPeer channels to and from one peer
 */
public record P2pChannels(int channels, int channelsPerPeer) {
  /** {@code MAXCHANNELS}, {@code nccl:src/include/device.h}. */
  private static final int MAX_CHANNELS = 64;

  /** Channels that NCCL wants to a peer at least, over NVLink for each link. */
  private static final int CHANNELS_PER_LINK = 2;

  /** Peers that a channel of the network serves without losing bandwidth. */
  private static final int NET_PEERS_PER_CHANNEL = 4;

  /** Sizes of {@code ncclDevKernelArgs} and {@code ncclDevWorkBatch}. */
  private static final int KERNEL_ARGUMENT_BYTES = 32;

  private static final int BATCH_BYTES = 16;

  /**
   * The channels for the ranks of a domain.
   *
   * @param domain a rank's own domain
   * @param nRanks ranks of the communicator
   * @param nChannels channels that the communicator has for collectives
   */
  public static P2pChannels of(Domain domain, int nRanks, int nChannels, NcclSettings settings) {
    int most = settings.integer("NCCL_MAX_P2P_NCHANNELS", MAX_CHANNELS);
    int fewest = settings.integer("NCCL_MIN_P2P_NCHANNELS", 1);
    int wanted = Math.max(Math.min(nChannels, most), fewest);
    int perPeer = wanted;
    int gpus = domain.topology().gpus().size();
    for (int gpu = 0; gpu < gpus; gpu++) {
      for (int peer = 0; peer < gpus; peer++) {
        if (peer != gpu) {
          perPeer = Math.min(perPeer, toLocalPeer(domain.paths(), gpu, peer));
        }
      }
      if (nRanks > gpus) {
        perPeer = Math.min(perPeer, toRemotePeer(domain.paths(), gpu, nRanks, wanted, settings));
      }
    }
    int limit = Integer.highestOneBit(Math.max(1, fittingArguments(settings)));
    int channels = Math.min(powerOfTwoFrom(wanted), limit);
    return new P2pChannels(channels, Math.min(powerOfTwoFrom(perPeer), channels));
  }

  /** {@code ncclDevMaxChannelsForArgsBytes}: what is smaller than nothing counts as plenty. */
  private static int fittingArguments(NcclSettings settings) {
    if (settings.text("NCCL_WORK_ARGS_BYTES").isEmpty()) {
      return MAX_CHANNELS;
    }
    long left = (long) settings.integer("NCCL_WORK_ARGS_BYTES", 0) - KERNEL_ARGUMENT_BYTES;
    long batches = Long.divideUnsigned(left, BATCH_BYTES);
    return (int) Math.min(MAX_CHANNELS, batches);
  }

  private static int powerOfTwoFrom(int value) {
    return value <= 1 ? 1 : Integer.highestOneBit(value - 1) << 1;
  }

  private static int toLocalPeer(Paths paths, int gpu, int peer) {
    int[] gpus = paths.topology().indexes(NodeType.GPU);
    if (paths.type(gpus[peer], gpus[gpu]) != PathType.NVL) {
      return CHANNELS_PER_LINK;
    }
    float linkBw = LinkBandwidths.nvlink(paths.topology().gpus().get(gpu).sm());
    return CHANNELS_PER_LINK * Math.max(1, (int) (paths.bwGBps(gpus[peer], gpus[gpu]) / linkBw));
  }

  private static int toRemotePeer(
      Paths paths, int gpu, int nRanks, int wanted, NcclSettings settings) {
    int stated = settings.integer("NCCL_NCHANNELS_PER_NET_PEER", 0);
    if (stated > 0) {
      return stated;
    }
    int channels = CHANNELS_PER_LINK;
    while (channels * nRanks > wanted * NET_PEERS_PER_CHANNEL && channels > 1) {
      channels /= 2;
    }
    return Math.max(netsToSaturate(paths, gpu), channels);
  }

  /**
   * How many of the ports near a GPU it takes to carry what the GPU can send ({@code
   * getLocalNetCountByBw}). Only a link straight to a CPU counts as what it can send.
   */
  private static int netsToSaturate(Paths paths, int gpu) {
    Topology topology = paths.topology();
    int gpuIndex = topology.indexes(NodeType.GPU)[gpu];
    int[] nets = topology.indexes(NodeType.NET);
    float gpuBw = 0;
    for (Link link : topology.links(gpuIndex)) {
      if (topology.node(link.to()).type() == NodeType.CPU) {
        gpuBw = link.bwGBps();
      }
    }
    float netBw = 0;
    int count = 0;
    for (int net : paths.localDevices().netsNear(gpu)) {
      if (netBw >= gpuBw) {
        break;
      }
      netBw += paths.bwGBps(gpuIndex, nets[net]);
      count++;
    }
    return count;
  }
}
