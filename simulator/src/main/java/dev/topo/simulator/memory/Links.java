package dev.topo.simulator.memory;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Connections of a rank and of its proxy, which a split may share with its parent ({@code struct
 * ncclSharedResources}, {@code nccl:src/include/comm.h}). Peers are ranks of the job.
 */
final class Links {
  private final Map<Integer, long[]> channelsOfPeer = new HashMap<>();
  private final BitSet sent = new BitSet();
  private final BitSet received = new BitSet();

  /** By proxy, direction and place; a few, of large numbers. */
  private final Set<Integer> sharedBuffers = new HashSet<>();

  private final Set<Integer> pools = new HashSet<>();
  private boolean usesNetwork;
  private boolean hasPosted;
  private int channels;

  /**
   * Connects one direction of a channel with a peer for collectives; false if it was connected
   * before.
   */
  boolean connect(int peer, int channel, boolean send) {
    long[] masks = channelsOfPeer.computeIfAbsent(peer, key -> new long[2]);
    long bit = 1L << channel;
    boolean isNew = (masks[send ? 1 : 0] & bit) == 0;
    masks[send ? 1 : 0] |= bit;
    return isNew;
  }

  /**
   * Connects all channels with a peer for sends or receives, as its first transfer does; false if
   * they were connected before.
   */
  boolean connectPeer(int peer, boolean send) {
    BitSet peers = send ? sent : received;
    boolean isNew = !peers.get(peer);
    peers.set(peer);
    return isNew;
  }

  /** Initializes channels; returns how many are new ({@code initChannel}). */
  int addChannels(int count) {
    int added = Math.max(0, count - channels);
    channels += added;
    return added;
  }

  /**
   * The first use of a buffer that all connections of this rank share; false later.
   *
   * @param proxy the rank whose proxy has it
   * @param onGpu whether it is on the GPU of the proxy, else on its host
   */
  boolean sharesBuffer(int proxy, boolean send, boolean onGpu) {
    return sharedBuffers.add(4 * proxy + (send ? 2 : 0) + (onGpu ? 1 : 0));
  }

  /** The rank attaches the operations of the proxy of a rank; false if it has them. */
  boolean attachesPool(int proxy) {
    return pools.add(proxy);
  }

  /** The rank has a connection that a proxy serves. */
  void useNetwork() {
    usesNetwork = true;
  }

  /** A call that a proxy serves; false if none does, and after the first. */
  boolean posts() {
    boolean isNew = usesNetwork && !hasPosted;
    hasPosted |= usesNetwork;
    return isNew;
  }
}
