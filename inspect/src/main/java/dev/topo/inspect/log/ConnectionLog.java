package dev.topo.inspect.log;

import java.util.List;
import java.util.Optional;

/**
 * The place of a rank in rings and trees, and how it reaches its neighbours ({@code
 * initTransportsRank}, {@code nccl:src/init.cc}, {@code nccl:src/graph/connect.cc} and {@code
 * nccl:src/transport}).
 *
 * @param channels the rings over all ranks, which rank 0 writes
 * @param rings its neighbours in the rings
 * @param trees its neighbours in the trees
 * @param nvlsHeads the heads of NVLS on all nodes, which the ranks of the first node write
 * @param nvlsTrees its neighbours in the two kinds of NVLS trees
 * @param collNet its lines on in-network reduction, as they are
 * @param counts numbers of channels, if the log says them
 * @param p2pChunkBytes what sends and receives hand over at a time, if the log says it
 * @param peers how it reaches other ranks
 */
record ConnectionLog(
    List<ChannelOrder> channels,
    List<Ring> rings,
    List<Tree> trees,
    List<NvlsHead> nvlsHeads,
    List<Tree> nvlsTrees,
    List<String> collNet,
    Optional<Counts> counts,
    Optional<Integer> p2pChunkBytes,
    List<Peer> peers) {
  public ConnectionLog {
    channels = List.copyOf(channels);
    rings = List.copyOf(rings);
    trees = List.copyOf(trees);
    nvlsHeads = List.copyOf(nvlsHeads);
    nvlsTrees = List.copyOf(nvlsTrees);
    collNet = List.copyOf(collNet);
    peers = List.copyOf(peers);
  }

  /**
   * A ring over all ranks, {@code Channel 00/24 : 0 1 2 3}.
   *
   * @param channel its number
   * @param nChannels how many there are
   * @param ranks the ranks, as far as NCCL wrote them
   * @param isComplete whether that is all: NCCL ends long lines with dots
   */
  public record ChannelOrder(int channel, int nChannels, List<Integer> ranks, boolean isComplete) {
    public ChannelOrder {
      ranks = List.copyOf(ranks);
    }
  }

  /** {@code Ring 00 : 3 -> 0 -> 1}: a rank between the one that sends to it and the next. */
  public record Ring(int channel, int prev, int rank, int next) {}

  /**
   * One of {@code Trees [0] 1/2/-1->0->-1}: the children of a rank, the rank and its parent; -1
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
  public record Counts(int collective, int collNet, int nvls, int p2p, int p2pPerPeer) {}

  /** {@code Channel 00/0 : 0[0] -> 1[1] [send] via NET/IB/0}. */
  public record Peer(int channel, int from, int to, String via) {}
}
