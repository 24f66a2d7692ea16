package dev.topo.visualizer.structure;

import dev.topo.model.Alike;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.P2pChannels.PeerPorts;
import dev.topo.search.connect.PeerPort;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The ports of transfers from a rank to its peers; channels with the same port are grouped. */
final class PortRows {
  private final Connection connection;
  private final PeerPorts ports;
  private final List<Integer> channels;
  private final int[] devices;

  PortRows(Excerpt excerpt) {
    this.connection = excerpt.connection();
    this.ports = connection.peerPorts();
    this.channels = excerpt.channels(ConnectPart.NICS);
    this.devices = IntStream.range(0, connection.nRanks()).map(ports::device).toArray();
  }

  int device(int rank) {
    return devices[rank];
  }

  /** The ranks on nodes other than that of {@code rank}. */
  IntStream peers(int rank) {
    int node = connection.nodeOf(rank);
    return IntStream.range(0, devices.length).filter(peer -> connection.nodeOf(peer) != node);
  }

  /** The ports to peers with the given device number, each with its channels. */
  Map<PeerPort, List<Integer>> ports(int rank, int device) {
    return Alike.by(channels, channel -> ports.port(rank, device, channel));
  }
}
