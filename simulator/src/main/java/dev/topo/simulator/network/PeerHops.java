package dev.topo.simulator.network;

import dev.topo.model.Node.NetNode;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.P2pChannels.PeerPorts;
import dev.topo.search.connect.PeerPort;
import dev.topo.search.path.Domain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Ports over which ranks send to ranks of other nodes, averaged over the channels of sends and
 * receives. A sender may use a port near another GPU of its node (PXN), a receiver uses its own
 * ({@code recvSetup}, {@code nccl:src/transport/net.cc}). Results are cached by domain and local
 * rank, so that equal nodes share them. Not thread-safe.
 */
final class PeerHops {
  /**
   * The part of the data between two ranks that takes the same ports.
   *
   * @param out index of the sender's port on its node
   * @param relay local rank of the GPU that drives that port
   * @param in index of the receiver's port on its node
   * @param part fraction of the data, at most 1
   */
  public record Part(int out, int relay, int in, double part) {}

  /** Index of a port on its node, and local rank of the GPU that drives it. */
  private record UsedPort(int port, int relay) {}

  private record End(Domain domain, int rank, int device) {}

  private record Pair(Domain from, int rank, Domain to, int peer) {}

  private final Connection connection;
  private final PeerPorts ports;
  private final int channels;

  /** Index of each rank on its node. */
  private final int[] localRanks;

  private final Map<Pair, List<Part>> parts = new HashMap<>();
  private final Map<End, UsedPort[]> usedPorts = new HashMap<>();

  /** The ports of a job. */
  PeerHops(Connection connection) {
    this.connection = connection;
    this.ports = connection.peerPorts();
    this.channels = connection.p2pChannels(0).nChannels();
    this.localRanks = connection.placesOnNodes();
  }

  /** Index of a rank among those of its node. */
  int localRank(int rank) {
    return localRanks[rank];
  }

  /**
   * The parts into which the ports divide the data from a rank to a rank of another node. Driving
   * ranks are given as {@link #localRank}.
   */
  List<Part> parts(int from, int to) {
    Pair pair =
        new Pair(
            connection.domain(connection.nodeOf(from)),
            localRanks[from],
            connection.domain(connection.nodeOf(to)),
            localRanks[to]);
    List<Part> cached = parts.get(pair);
    if (cached == null) {
      cached = find(from, to);
      parts.put(pair, cached);
    }
    return cached;
  }

  private List<Part> find(int from, int to) {
    UsedPort[] out = used(from, ports.device(to));
    UsedPort[] in = used(to, ports.device(to));
    Map<Part, Integer> counts = new LinkedHashMap<>();
    for (int channel = 0; channel < channels; channel++) {
      counts.merge(
          new Part(out[channel].port, out[channel].relay, in[channel].port, 1), 1, Integer::sum);
    }
    List<Part> found = new ArrayList<>();
    counts.forEach(
        (part, count) ->
            found.add(new Part(part.out, part.relay, part.in, count / (double) channels)));
    return found;
  }

  /**
   * The port of a rank on each channel.
   *
   * @param device device number of the peer, which selects the port
   */
  private UsedPort[] used(int rank, int device) {
    Domain domain = connection.domain(connection.nodeOf(rank));
    return usedPorts.computeIfAbsent(
        new End(domain, localRanks[rank], device),
        key -> {
          List<NetNode> nets = domain.topology().nets();
          Map<NetNode, Integer> indexOf = new IdentityHashMap<>();
          for (int net = 0; net < nets.size(); net++) {
            indexOf.put(nets.get(net), net);
          }
          UsedPort[] used = new UsedPort[channels];
          for (int channel = 0; channel < channels; channel++) {
            PeerPort port = ports.port(rank, device, channel);
            used[channel] =
                new UsedPort(indexOf.getOrDefault(port.port(), 0), localRanks[port.relay()]);
          }
          return used;
        });
  }
}
