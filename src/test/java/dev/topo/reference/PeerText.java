package dev.topo.reference;

import dev.topo.search.connect.Connection;
import dev.topo.search.connect.P2pChannels;
import dev.topo.search.connect.P2pSchedule;
import dev.topo.search.connect.PeerPort;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Sends and receives of a job in the form of the reference answers. */
final class PeerText {
  /** The reference has the ports of so many ranks. */
  private static final int RANKS = 8;

  private PeerText() {}

  static String schedule(Connection connection) {
    P2pSchedule schedule = connection.p2pSchedule();
    P2pChannels channels = connection.p2pChannels(0);
    List<String> lines = new ArrayList<>();
    lines.add(
        "# nRanks %d nNodes %d groupSize %d p2pChannels %d perPeer %d"
            .formatted(
                connection.nRanks(),
                connection.nNodes(),
                schedule.groupSize(),
                channels.nChannels(),
                channels.nChannelsPerPeer()));
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      int node = connection.nodeOf(rank);
      lines.add(
          "Schedule rank "
              + rank
              + " : "
              + schedule.rounds(node, connection.ranksOf(node).indexOf(rank)).stream()
                  .map(round -> round.sendTo() + "/" + round.receiveFrom())
                  .collect(Collectors.joining(" ")));
    }
    return String.join("\n", lines);
  }

  static String ports(Connection connection) {
    List<String> lines = new ArrayList<>();
    for (int rank = 0; rank < Math.min(RANKS, connection.nRanks()); rank++) {
      for (int peer = 0; peer < connection.nRanks(); peer++) {
        if (connection.nodeOf(peer) == connection.nodeOf(rank)) {
          continue;
        }
        int channels = connection.p2pChannels(0).nChannelsPerPeer();
        for (int channel = 0; channel < channels; channel++) {
          PeerPort way = connection.peerPort(rank, peer, channel);
          lines.add(
              "P2pNet rank %d peer %d channel %d net %s dev %d proxy %d"
                  .formatted(rank, peer, channel, way.port().id(), way.port().dev(), way.relay()));
        }
      }
    }
    return String.join("\n", lines);
  }
}
