package dev.topo.simulator.variant;

import dev.topo.search.connect.Connection;
import dev.topo.search.connect.P2pChannels;
import dev.topo.search.tuning.Communicator;

/**
 * The numbers of channels of a job.
 *
 * @param collective channels of rings and trees
 * @param nvls channels of NVLink multicast, 0 without it
 * @param peer channels of sends and receives, as the first node computes them
 * @param perPeer channels for one peer
 */
public record ChannelCounts(int collective, int nvls, int peer, int perPeer) {
  /** Counts of a job on which NCCL fails. */
  static final ChannelCounts NONE = new ChannelCounts(0, 0, 0, 0);

  static ChannelCounts of(Communicator communicator) {
    Connection connection = communicator.connection();
    P2pChannels peers = connection.p2pChannels(0);
    return new ChannelCounts(
        connection.nChannels(),
        communicator.facts().nvlsChannels(),
        peers.nChannels(),
        peers.nChannelsPerPeer());
  }
}
