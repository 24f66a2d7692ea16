package dev.topo.simulator.memory;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Existing connections of a rank and of its proxy. A split may share them with its parent ({@code
 * struct ncclSharedResources}, {@code nccl:src/include/comm.h}). Peers are ranks of the job.
 */
final class Links {
  private final Map<Integer, long[]> peerChannels = new HashMap<>();
  private final BitSet sent = new BitSet();
  private final BitSet received = new BitSet();

  /** Shared buffers in use: proxy, direction and place (GPU or host) encoded as a number. */
  private final Set<Integer> sharedBuffers = new HashSet<>();

  private final Set<Integer> pools = new HashSet<>();
  private boolean usesNetwork;
  private boolean hasPosted;
  private int channels;

  /** The links of several ranks, without connections. */
  static Links[] create(int ranks) {
    return Stream.generate(Links::new).limit(ranks).toArray(Links[]::new);
  }

  /**
   * Connects one direction of a channel with a peer for collectives; returns false if it is already
   * connected.
   */
  boolean connect(int peer, int channel, boolean send) {
    long[] masks = peerChannels.computeIfAbsent(peer, key -> new long[2]);
    long bit = 1L << channel;
    boolean isNew = (masks[send ? 1 : 0] & bit) == 0;
    masks[send ? 1 : 0] |= bit;
    return isNew;
  }

  /**
   * Connects all channels with a peer for sends or receives, as the first transfer does; returns
   * false if they are already connected.
   */
  boolean connectPeer(int peer, boolean send) {
    BitSet peers = send ? sent : received;
    boolean isNew = !peers.get(peer);
    peers.set(peer);
    return isNew;
  }

  /** Initializes channels ({@code initChannel}); returns the number of new ones. */
  int addChannels(int count) {
    int added = Math.max(0, count - channels);
    channels += added;
    return added;
  }

  /**
   * Uses a buffer that all connections of this rank share; returns true the first time.
   *
   * @param proxy rank whose proxy has the buffer
   * @param onGpu whether the buffer is on the GPU of the proxy; otherwise in host memory
   */
  boolean useSharedBuffer(int proxy, boolean send, boolean onGpu) {
    return sharedBuffers.add(4 * proxy + (send ? 2 : 0) + (onGpu ? 1 : 0));
  }

  /** Attaches the operations pool of a rank's proxy; returns false if it is already attached. */
  boolean attachPool(int proxy) {
    return pools.add(proxy);
  }

  /** Records that the rank has a connection that a proxy serves. */
  void useNetwork() {
    usesNetwork = true;
  }

  /** Records a call that a proxy serves; returns true for the first such call. */
  boolean post() {
    boolean isNew = usesNetwork && !hasPosted;
    hasPosted |= usesNetwork;
    return isNew;
  }
}
