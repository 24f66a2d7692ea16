package dev.topo.inspect.log;

import java.util.List;
import java.util.Optional;

/**
 * Place of a rank in rings and trees, and its connections to neighbours ({@code
 * initTransportsRank}, {@code nccl:src/init.cc}, {@code nccl:src/graph/connect.cc} and {@code
 * nccl:src/transport}).
 *
 * @param channels rings over all ranks, written by rank 0
 * @param rings its neighbours in the rings
 * @param trees its neighbours in the trees
 * @param nvlsHeads NVLS heads on all nodes, written by the ranks of the first node
 * @param nvlsTrees its neighbours in the two kinds of NVLS trees
 * @param hasCollNet whether it has lines about in-network reduction
 * @param counts numbers of channels, if logged
 * @param p2pChunkBytes chunk size of sends and receives, if logged
 * @param hasPeers whether it has lines about its connections to other ranks
 */
record ConnectionLog(
    List<ChannelOrder> channels,
    List<Ring> rings,
    List<Tree> trees,
    List<NvlsHead> nvlsHeads,
    List<Tree> nvlsTrees,
    boolean hasCollNet,
    Optional<Counts> counts,
    Optional<Integer> p2pChunkBytes,
    boolean hasPeers) {
  ConnectionLog {
    channels = List.copyOf(channels);
    rings = List.copyOf(rings);
    trees = List.copyOf(trees);
    nvlsHeads = List.copyOf(nvlsHeads);
    nvlsTrees = List.copyOf(nvlsTrees);
  }

  /**
   * Ring over all ranks, {@code Channel 00/24 : 0 1 2 3}.
   *
   * @param channel number of the channel
   * @param nChannels number of channels
   * @param ranks the ranks, as far as logged
   * @param isComplete whether all ranks are logged: NCCL ends long lines with dots
   */
  public record ChannelOrder(int channel, int nChannels, List<Integer> ranks, boolean isComplete) {
    public ChannelOrder {
      ranks = List.copyOf(ranks);
    }
  }

  /** {@code Ring 00 : 3 -> 0 -> 1}: a rank between the previous and the next one. */
  public record Ring(int channel, int prev, int rank, int next) {}

  /**
   * Part of {@code Trees [0] 1/2/-1->0->-1}: the children of a rank, the rank and its parent; -1
   * means no neighbour. The channel of an NVLS tree is its kind, 0 or 1.
   */
  public record Tree(int channel, int down0, int down1, int down2, int rank, int up) {}

  /** {@code NVLS Head 0: 0 8 16}: the rank on each of the first twenty nodes. */
  public record NvlsHead(int head, List<Integer> ranks) {
    public NvlsHead {
      ranks = List.copyOf(ranks);
    }
  }

  /**
   * {@code 24 coll channels, 24 collnet channels, 16 nvls channels, 32 p2p channels, 32 p2p
   * channels per peer}; NCCL writes the same number for rings and trees and for CollNet.
   */
  public record Counts(int collective, int collNet, int nvls, int p2p, int p2pPerPeer) {
    @Override
    public String toString() {
      return "%s coll, %s collnet, %s nvls, %s p2p, %s p2p per peer"
          .formatted(collective, collNet, nvls, p2p, p2pPerPeer);
    }
  }
}
