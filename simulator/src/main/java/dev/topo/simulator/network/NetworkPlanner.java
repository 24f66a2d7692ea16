package dev.topo.simulator.network;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.settings.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.peer.P2pChannels;
import dev.topo.simulator.timing.CallShape;
import dev.topo.simulator.timing.NodeTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Derives what of a call determines its time between nodes. Keeps the traffic that it has counted;
 * not for use by several threads.
 */
public final class NetworkPlanner {
  private record Key(Algorithm algorithm, int channels) {}

  /**
   * What the copy of a rank's own part costs a channel, as a part of what a transfer costs:
   * alltoall and sendrecv of two H200 on one channel (2026-11-22, NCCL 2.28.9).
   */
  private static final double OWN_COPY = 0.45;

  private final Connection connection;
  private final NcclSettings settings;
  private final Map<Key, PortLoad> loads = new HashMap<>();
  private final Map<PeerOperation, PortLoad> peerLoads = new HashMap<>();

  /** For the calls of a job of several nodes. */
  public NetworkPlanner(Connection connection, NcclSettings settings) {
    if (connection.nNodes() < 2) {
      throw new IllegalArgumentException("one node: expected several");
    }
    this.connection = connection;
    this.settings = settings;
  }

  /**
   * What of a collective determines its time.
   *
   * @param algorithm its algorithm
   * @param shape what it does on a node
   * @param node how long that takes
   */
  public NetworkCall call(Algorithm algorithm, CallShape shape, NodeTime node) {
    int ranks = connection.nRanks();
    int nodes = connection.nNodes();
    int depth = Integer.SIZE - Integer.numberOfLeadingZeros(nodes - 1);
    boolean isRing = algorithm == Algorithm.RING;
    boolean reduces = shape.collective() == Collective.ALL_REDUCE;
    boolean roundTrips =
        switch (shape.collective()) {
          case ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER -> isRing;
          case BROADCAST, REDUCE -> false;
        };
    int sends = isRing ? 1 : Math.min(2, nodes - 1);
    if (roundTrips) {
      sends = (reduces ? 2 : 1) * (ranks - 1);
    }
    return new NetworkCall(
        algorithm,
        shape.protocol(),
        roundTrips,
        roundTrips && reduces ? ranks : 1,
        sends,
        isRing ? nodes - 1 : 2 * depth,
        isRing ? ranks - nodes : 2 * (connection.maxLocalRanks() - 1),
        shape.shareBytes(),
        shape.chunkBytes(),
        port(algorithm, shape.channels()),
        node);
  }

  /** What the busiest port carries where an algorithm runs on the first channels. */
  public PortLoad port(Algorithm algorithm, int channels) {
    return loads.computeIfAbsent(
        new Key(algorithm, channels),
        key ->
            switch (algorithm) {
              case RING -> PortTraffic.ofRings(connection, settings, channels);
              case TREE -> PortTraffic.ofTrees(connection, settings, channels);
              case NVLS_TREE -> PortTraffic.ofNvlsTrees(connection, settings, channels);
              default -> throw new IllegalArgumentException(algorithm.label() + " is not covered");
            });
  }

  /**
   * What of sends and receives determines their time; empty for those that the model does not
   * cover.
   *
   * @param bytes size as nccl-tests counts it: of alltoall what a rank sends to all, of gather and
   *     scatter what the root has
   */
  public Optional<PeerCall> call(PeerOperation operation, long bytes) {
    P2pChannels channels = connection.p2pChannels(0);
    int ranks = connection.nRanks();
    int remote = ranks - connection.localRanks(0);
    double part = (double) bytes / ranks;
    int perPeer = channels.nChannelsPerPeer();
    int spread = Math.min(channels.nChannels(), Math.max(perPeer, ranks * perPeer / 2));
    return switch (operation) {
      case ALLTOALL ->
          Optional.of(
              new PeerCall(
                  part, remote, part * (ranks - 1 + OWN_COPY) / spread, peerPort(operation), 0));
      case SENDRECV ->
          Optional.of(new PeerCall(bytes, 1, (double) bytes / perPeer, peerPort(operation), 0));
      case GATHER, SCATTER ->
          Optional.of(
              new PeerCall(
                  part, remote, part * (ranks - 1 + OWN_COPY) / spread, peerPort(operation), 0));
      case ALLTOALLV, HYPERCUBE -> Optional.empty();
    };
  }

  /** What the busiest port carries for one byte of each transfer. */
  public PortLoad peerPort(PeerOperation operation) {
    return peerLoads.computeIfAbsent(
        operation,
        key ->
            switch (operation) {
              case ALLTOALL, ALLTOALLV, HYPERCUBE -> PortTraffic.ofAllPeers(connection, settings);
              case SENDRECV -> PortTraffic.ofNeighbors(connection, settings);
              case GATHER, SCATTER -> PortTraffic.ofRoot(connection, settings);
            });
  }
}
