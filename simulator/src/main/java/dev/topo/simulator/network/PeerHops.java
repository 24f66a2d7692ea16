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
 * Ports over which ranks send to ranks of other nodes, on average over the channels of sends and
 * receives. A sender may use a port near its peer (PXN), a receiver uses its own ({@code
 * recvSetup}, {@code nccl:src/transport/net.cc}). Found once for the GPUs of equal nodes; not
 * thread-safe.
 */
final class PeerHops {
  /**
   * Part of the data that a rank sends to another.
   *
   * @param out index of the port among those of the sender's node
   * @param relay rank that drives the port
   * @param in index of the port among those of the receiver's node
   * @param part fraction of all the data, at most 1
   */
  public record Part(int out, int relay, int in, double part) {}

  /** Index of a port on its node, and of the rank that drives it. */
  private record Used(int port, int relay) {}

  private record End(Domain domain, int rank, int device) {}

  private record Pair(Domain from, int rank, Domain to, int peer) {}

  private final Connection connection;
  private final PeerPorts ports;
  private final int channels;

  /** Index of each rank on its node. */
  private final int[] places;

  private final Map<Pair, List<Part>> known = new HashMap<>();
  private final Map<End, Used[]> portsOf = new HashMap<>();

  /** Ports of a job. */
  PeerHops(Connection connection) {
    this.connection = connection;
    this.ports = connection.peerPorts();
    this.channels = connection.p2pChannels(0).nChannels();
    this.places = connection.placesOnNodes();
  }

  /** Index of a rank among those of its node. */
  int place(int rank) {
    return places[rank];
  }

  /**
   * Ports from a rank to a rank of another node; the driving ranks are given by their {@link
   * #place}.
   */
  List<Part> parts(int from, int to) {
    Pair pair =
        new Pair(
            connection.domain(connection.nodeOf(from)),
            places[from],
            connection.domain(connection.nodeOf(to)),
            places[to]);
    List<Part> parts = known.get(pair);
    if (parts == null) {
      parts = find(from, to);
      known.put(pair, parts);
    }
    return parts;
  }

  private List<Part> find(int from, int to) {
    Used[] out = used(from, ports.device(to));
    Used[] in = used(to, ports.device(to));
    Map<Part, Integer> counts = new LinkedHashMap<>();
    for (int channel = 0; channel < channels; channel++) {
      counts.merge(
          new Part(out[channel].port, out[channel].relay, in[channel].port, 1), 1, Integer::sum);
    }
    List<Part> parts = new ArrayList<>();
    counts.forEach(
        (part, count) ->
            parts.add(new Part(part.out, part.relay, part.in, count / (double) channels)));
    return parts;
  }

  /** Ports of a rank by channel, for peers with a device number. */
  private Used[] used(int rank, int device) {
    Domain domain = connection.domain(connection.nodeOf(rank));
    return portsOf.computeIfAbsent(
        new End(domain, places[rank], device),
        key -> {
          List<NetNode> nets = domain.topology().nets();
          Map<NetNode, Integer> placeOf = new IdentityHashMap<>();
          for (int place = 0; place < nets.size(); place++) {
            placeOf.put(nets.get(place), place);
          }
          Used[] used = new Used[channels];
          for (int channel = 0; channel < channels; channel++) {
            PeerPort port = ports.port(rank, device, channel);
            used[channel] = new Used(placeOf.getOrDefault(port.port(), 0), places[port.relay()]);
          }
          return used;
        });
  }
}
