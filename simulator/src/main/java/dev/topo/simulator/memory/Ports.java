package dev.topo.simulator.memory;

import dev.topo.model.Node.NodeId;
import dev.topo.model.operation.Algorithm;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.P2pChannels.PeerPorts;
import dev.topo.search.connect.PeerPort;
import dev.topo.search.path.Domain;
import dev.topo.search.path.NicAccessFinder;
import dev.topo.search.path.NicAccessFinder.NicAccess;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the ports through which connections leave a node: which rank drives the port, and whether
 * the port accesses GPU memory. Caches its results.
 */
final class Ports {
  /** Below this compute capability NCCL lets a NIC read GPU memory only over some NVLinks. */
  private static final int MIN_READ_SM = 80;

  private final Connection connection;
  private final PeerPorts peerPorts;
  private final boolean hasPorts;
  private final int maxChannels;
  private final int[] devices;
  private final int[] distinctDevices;

  /** Index of each rank's device among the device numbers in use. */
  private final int[] deviceIndex;

  /** Ends of sends and receives of one rank, by device of the peer, channel and direction. */
  private final @Nullable End[] peerEnds;

  private int peerEndsRank = -1;

  private boolean isNew;
  private final Map<Domain, NicAccessFinder> finders = new HashMap<>();
  private final Map<Access, Exit> exits = new HashMap<>();

  private record Access(Domain domain, int gpu, NodeId port) {}

  /**
   * Exit from a GPU to a port of its node.
   *
   * @param relay index on the node of the GPU whose process drives the port; -1 for the GPU itself
   * @param gdr whether the port accesses GPU memory
   */
  private record Exit(int relay, boolean gdr) {}

  /**
   * End of a connection.
   *
   * @param proxy the rank whose proxy drives the port
   * @param gdr whether the port accesses GPU memory (GPUDirect RDMA)
   */
  record End(int proxy, boolean gdr) {}

  /** Ports of a communicator. */
  Ports(Connection connection) {
    this.connection = connection;
    this.peerPorts = connection.peerPorts();
    this.hasPorts = connection.hasPorts();
    this.devices = IntStream.range(0, connection.nRanks()).map(peerPorts::device).toArray();
    this.maxChannels = connection.profile().connect().maxChannels;
    this.distinctDevices = Arrays.stream(devices).distinct().sorted().toArray();
    this.deviceIndex =
        Arrays.stream(devices)
            .map(device -> Arrays.binarySearch(distinctDevices, device))
            .toArray();
    this.peerEnds = new End[2 * distinctDevices.length * maxChannels];
  }

  /** End of a connection of a ring, of a tree of NVLS heads, or else of a tree. */
  End of(Algorithm algorithm, int channel, int rank, boolean send) {
    Optional<NodeId> port =
        switch (algorithm) {
          case RING ->
              connection
                  .rings()
                  .nets(channel, connection.nodeOf(rank))
                  .map(both -> send ? both.out() : both.in());
          case NVLS_TREE -> connection.nvls().net(channel, rank);
          default -> connection.trees().net(channel, rank);
        };
    if (port.isEmpty() || !hasPorts) {
      return new End(rank, false);
    }
    Exit exit = exit(rank, port.get(), send);
    int proxy =
        !send || exit.relay < 0 ? rank : connection.rankOf(connection.nodeOf(rank), exit.relay);
    return new End(proxy, exit.gdr);
  }

  /**
   * End of a connection for sends or receives. Afterwards {@link #isNew} is true if this end was
   * returned for the first time since the last call for another rank.
   */
  End ofPeer(int rank, int peer, int channel, boolean send) {
    isNew = true;
    if (!hasPorts) {
      return new End(rank, false);
    }
    if (rank != peerEndsRank) {
      Arrays.fill(peerEnds, null);
      peerEndsRank = rank;
    }
    int key = 2 * (deviceIndex[peer] * maxChannels + channel) + (send ? 1 : 0);
    End known = peerEnds[key];
    if (known != null) {
      isNew = false;
      return known;
    }
    PeerPort port = peerPorts.port(rank, devices[peer], channel);
    boolean gdr = exit(rank, port.port().id(), send).gdr;
    End end = new End(send ? port.relay() : rank, gdr);
    peerEnds[key] = end;
    return end;
  }

  /**
   * Other ranks that drive the ports through which a rank sends on channel 0 ({@code
   * ncclTopoGetPxnRanks}, {@code nccl:src/graph/paths.cc}).
   */
  int[] relays(int rank) {
    return hasPorts && connection.nNodes() > 1
        ? Arrays.stream(distinctDevices)
            .mapToObj(device -> peerPorts.port(rank, device, 0))
            .filter(port -> port.relay() != rank && exit(rank, port.port().id(), true).gdr)
            .mapToInt(PeerPort::relay)
            .distinct()
            .toArray()
        : new int[0];
  }

  /** True if the last result of {@link #ofPeer} was new for its rank. */
  boolean isNew() {
    return isNew;
  }

  private Exit exit(int rank, NodeId port, boolean send) {
    int node = connection.nodeOf(rank);
    Domain domain = connection.domain(node);
    int gpu = connection.localGpu(rank);
    Exit exit =
        exits.computeIfAbsent(new Access(domain, gpu, port), key -> find(domain, gpu, port));
    boolean mayRead = !send || domain.topology().gpus().get(gpu).sm() >= MIN_READ_SM;
    return new Exit(exit.relay, exit.gdr && mayRead);
  }

  private Exit find(Domain domain, int gpu, NodeId port) {
    List<NodeId> ports = domain.topology().nets().stream().map(net -> net.id()).toList();
    NicAccess access =
        finders
            .computeIfAbsent(domain, key -> new NicAccessFinder(key, connection.settings()))
            .find(gpu, ports.indexOf(port));
    return new Exit(access.relay().orElse(-1), access.gdr().allowed());
  }
}
