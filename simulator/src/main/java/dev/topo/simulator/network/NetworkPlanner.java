package dev.topo.simulator.network;

import dev.topo.model.ComputeCapability;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.P2pChannels;
import dev.topo.simulator.network.ConcurrentGroups.Group;
import dev.topo.simulator.timing.CallShape;
import dev.topo.simulator.timing.TimeEstimate.NodeTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Derives the properties of a call that determine its time between nodes. Caches the loads of ports
 * and uplinks; not thread-safe.
 */
public final class NetworkPlanner {
  private record Key(Algorithm algorithm, int channels) {}

  /**
   * Cost of copying a rank's own part, relative to a transfer. Measured with alltoall and sendrecv
   * on two H200 with one channel (2026-11-22, NCCL 2.28.9).
   */
  private static final double OWN_COPY = 0.45;

  /**
   * Sends and receives that a channel handles at the same time ({@code
   * NCCL_MAX_DEV_WORK_P2P_PER_BATCH}).
   */
  private static final int OPERATIONS_PER_CHANNEL = 8;

  /** Setting of libfabric for Slingshot that selects hardware or software matching. */
  private static final String MATCH_MODE = "FI_CXI_RX_MATCH_MODE";

  /** Largest number of nodes on which hardware matches all messages. */
  private static final int MAX_MATCHED_NODES = 8;

  /** Number of doublings of {@link #MAX_MATCHED_NODES} after which hardware matches no message. */
  private static final int DOUBLINGS_UNMATCHED = 5;

  /** Smallest number of nodes of which a node of a tree has two children ({@code ncclGetBtree}). */
  private static final int TWO_CHILDREN_NODES = 4;

  /**
   * Time per byte of a connection of Blackwell, relative to older GPUs: sends of three clusters of
   * B200 reached 16 to 17 GB/s on a channel and of one 15, of H100 13 to 14.
   */
  private static final double BLACKWELL_CONNECTION = 0.83;

  private final Connection connection;
  private final NcclSettings settings;
  private final Optional<FabricTraffic> fabric;
  private final int groups;
  private final Optional<ConcurrentGroups> concurrent;
  private final Map<Key, PortLoad> loads = new HashMap<>();
  private final Map<Key, UplinkLoad> uplinks = new HashMap<>();
  private final Map<PeerOperation, PortLoad> peerLoads = new HashMap<>();
  private final Map<PeerOperation, UplinkLoad> peerUplinks = new HashMap<>();
  private final Map<Double, PortLoad> skewedPorts = new HashMap<>();
  private final Map<Double, UplinkLoad> skewedUplinks = new HashMap<>();

  /**
   * A planner for a job.
   *
   * @param fabric the switches; empty if they are assumed not to limit
   * @param groups number of communicators over the same GPUs that send the same at the same time
   * @param concurrent communicators over other GPUs that send at the same time, including this one
   */
  public NetworkPlanner(
      Connection connection,
      NcclSettings settings,
      Optional<Fabric> fabric,
      int groups,
      Optional<ConcurrentGroups> concurrent) {
    if (connection.nNodes() < 2) {
      throw new IllegalArgumentException("one node: expected several");
    }
    this.connection = connection;
    this.settings = settings;
    this.groups = groups;
    this.concurrent = concurrent;
    this.fabric = fabric.map(this::traffic);
  }

  /** Traffic over switches of all groups that send at the same time. */
  private FabricTraffic traffic(Fabric switches) {
    if (concurrent.isEmpty()) {
      return new FabricTraffic(connection, switches, settings, groups);
    }
    ConcurrentGroups concurrentGroups = concurrent.get();
    List<FabricTraffic> equal = new ArrayList<>();
    List<FabricTraffic> others = new ArrayList<>();
    for (int group = 0; group < concurrentGroups.groups().size(); group++) {
      Group equalOnes = concurrentGroups.groups().get(group);
      for (List<Integer> machines : equalOnes.machines()) {
        (group == concurrentGroups.own() ? equal : others)
            .add(
                new FabricTraffic(equalOnes.connection(), switches.of(machines), settings, groups));
      }
    }
    return equal.get(0).beside(equal.subList(1, equal.size()), others);
  }

  /**
   * The properties of a collective that determine its time.
   *
   * @param shape its shape on a node
   * @param node its time on a node
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
    int hops = isRing ? nodes - 1 : 2 * depth;
    int innerHops = isRing ? ranks - nodes : 2 * (connection.maxLocalRanks() - 1);
    if (roundTrips) {
      sends = (reduces ? 2 : 1) * (ranks - 1);
      hops = (int) -Math.floorDiv(-(long) sends * nodes, ranks);
      innerHops = sends - hops;
    }
    return new NetworkCall(
        algorithm,
        shape.protocol(),
        roundTrips,
        roundTrips && reduces ? ranks : 1,
        sends,
        hops,
        innerHops,
        shape.shareBytes(),
        shape.chunkBytes(),
        receivers(),
        port(algorithm, shape.channels()),
        uplink(algorithm, shape.channels()),
        ofChildren(algorithm, shape.protocol(), node));
  }

  /**
   * The time of a node of a tree that exchanges its chunks with two other nodes instead of one. The
   * factors are those between the bandwidths that a channel reaches on 2 and on more nodes in
   * NCCL's model ({@code perChMaxTreeBws} and {@code perChMaxNVLSTreeBws}, {@code
   * nccl:src/graph/tuning.cc}, 2.28.9), which NVIDIA measured. Two clusters of 64 nodes of B200
   * took 1.8 times as long by Tree, 20 racks of GB200 twice as long by NVLSTree.
   */
  private NodeTime ofChildren(Algorithm algorithm, Protocol protocol, NodeTime node) {
    if (connection.nNodes() < TWO_CHILDREN_NODES || protocol != Protocol.SIMPLE) {
      return node;
    }
    int sm = connection.minSm();
    boolean isHopper = sm >= ComputeCapability.HOPPER;
    boolean isBlackwell = sm >= ComputeCapability.BLACKWELL;
    return switch (algorithm) {
      case TREE -> node.times(isBlackwell ? 1.78 : isHopper ? 1.15 : 1.33, 1);
      case NVLS_TREE -> node.times(1, isBlackwell ? 2.19 : 1.27);
      default -> node;
    };
  }

  /**
   * Properties for algorithms without published measurements between nodes: PAT, and AllReduce by a
   * network that reduces. With PAT a rank sends as much as on a ring, in log2(ranks) steps, rounded
   * up. In a network that reduces, each node sends a channel's data once and waits for two hops.
   */
  public NetworkCall unmeasured(Algorithm algorithm, CallShape shape, NodeTime node) {
    boolean isPat = algorithm == Algorithm.PAT;
    int ranks = connection.nRanks();
    return new NetworkCall(
        algorithm,
        shape.protocol(),
        isPat,
        1,
        isPat ? ranks - 1 : 1,
        isPat ? Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1) : 2,
        algorithm == Algorithm.COLLNET_CHAIN ? 2 * (connection.maxLocalRanks() - 1) : 0,
        shape.shareBytes(),
        shape.chunkBytes(),
        receivers(),
        port(algorithm, shape.channels()),
        uplink(algorithm, shape.channels()),
        node);
  }

  /**
   * Work of the receivers of messages. Hopper orders the writes of NICs; older GPUs need a flush.
   * On 8 nodes of ALCF Polaris hardware matched most messages; on 256 nodes it matched as few as
   * with {@link #MATCH_MODE} set to software. In between, the fraction is assumed to fall linearly
   * with each doubling of nodes.
   */
  private NetworkCall.Receivers receivers() {
    double doublings = Math.log((double) connection.nNodes() / MAX_MATCHED_NODES) / Math.log(2);
    return new NetworkCall.Receivers(
        connection.minSm() < ComputeCapability.HOPPER,
        settings.text(MATCH_MODE).filter("software"::equals).isPresent(),
        Math.min(1, Math.max(0, doublings / DOUBLINGS_UNMATCHED)));
  }

  /** Load of the busiest port if an algorithm runs on the first channels. */
  PortLoad port(Algorithm algorithm, int channels) {
    return loads.computeIfAbsent(
        new Key(algorithm, channels),
        key ->
            switch (algorithm) {
              case RING -> ports((traffic, of) -> traffic.rings(first(channels, of)));
              case TREE -> ports((traffic, of) -> traffic.trees(first(channels, of)));
              case NVLS_TREE ->
                  ports(
                      (traffic, of) ->
                          of.nvls().isSupported()
                              ? traffic.nvlsTrees(channels)
                              : traffic.rings(first(channels, of)));
              case PAT -> ports((traffic, of) -> traffic.pat(first(channels, of)));
              case COLLNET_CHAIN -> ports((traffic, of) -> traffic.chains(first(channels, of)));
              case COLLNET_DIRECT ->
                  ports((traffic, of) -> traffic.heads(channels, GraphKind.COLLNET_DIRECT));
              case NVLS -> ports((traffic, of) -> traffic.heads(channels, GraphKind.NVLS));
            });
  }

  private static int first(int channels, Connection of) {
    return Math.min(channels, of.nChannels());
  }

  /** Load of the busiest port if all groups send the given traffic at the same time. */
  private PortLoad ports(BiFunction<PortTraffic, Connection, PortTraffic> traffic) {
    return concurrent
        .map(
            groups ->
                PortTraffic.busiest(
                    groups,
                    groups.groups().stream()
                        .map(Group::connection)
                        .map(of -> traffic.apply(new PortTraffic(of, settings, true), of))
                        .toList()))
        .orElseGet(() -> traffic.apply(new PortTraffic(connection, settings), connection).busiest())
        .times(groups);
  }

  /** Load of the busiest uplinks if an algorithm runs on the first channels. */
  private Optional<UplinkLoad> uplink(Algorithm algorithm, int channels) {
    return fabric.map(
        switches ->
            uplinks.computeIfAbsent(
                new Key(algorithm, channels),
                key ->
                    switch (algorithm) {
                      case RING -> switches.ofRings(channels);
                      case TREE -> switches.ofTrees(channels);
                      case NVLS_TREE -> switches.ofNvlsTrees(channels);
                      case PAT -> switches.ofPat(channels);
                      // A switch that reduces sends the sum of what it receives up once.
                      case COLLNET_CHAIN, COLLNET_DIRECT, NVLS -> UplinkLoad.NONE;
                    }));
  }

  /** Traffic over the switches; empty if they are unknown. */
  public Optional<FabricTraffic> fabric() {
    return fabric;
  }

  /**
   * Properties of sends and receives that determine their time; empty if the model does not cover
   * them.
   *
   * @param bytes size as nccl-tests counts it: for alltoall the bytes that a rank sends to all, for
   *     gather and scatter those of the root
   */
  public Optional<NetworkTransfers> call(PeerOperation operation, long bytes) {
    if (!operation.hasEqualParts()) {
      return Optional.empty();
    }
    if (operation.dividesSize()) {
      double part = (double) bytes / connection.nRanks();
      return Optional.of(ofAll(part, part, peerPort(operation), peerUplink(operation)));
    }
    return Optional.of(
        new NetworkTransfers(
            bytes,
            1,
            connection(bytes, bytes),
            connection(bytes, bytes),
            firstPart(bytes),
            receivers().flush(),
            receivers().software() ? 1 : 0,
            peerPort(operation),
            peerUplink(operation),
            0));
  }

  /**
   * Properties of an alltoallv in which rank 0 receives more than the others.
   *
   * @param part bytes that each rank sends to each rank other than rank 0
   * @param factor bytes that each rank sends to rank 0, relative to {@code part}
   */
  public NetworkTransfers skewed(double part, double factor) {
    return factor == 1
        ? ofAll(part, part, peerPort(PeerOperation.ALLTOALL), peerUplink(PeerOperation.ALLTOALL))
        : ofAll(
            part,
            factor * part,
            skewedPorts.computeIfAbsent(factor, key -> ports((traffic, of) -> traffic.skewed(key))),
            fabric.map(switches -> skewedUplinks.computeIfAbsent(factor, switches::ofSkewed)));
  }

  /**
   * Properties of transfers between all ranks.
   *
   * @param part bytes of the transfers to which the loads of port and uplink refer
   * @param largest bytes that the busiest rank exchanges with each peer
   */
  private NetworkTransfers ofAll(
      double part, double largest, PortLoad port, Optional<UplinkLoad> uplink) {
    int ranks = connection.nRanks();
    int remote = ranks - connection.minLocalRanks();
    double channelBytes = largest * (ranks - 1 + OWN_COPY) / channels();
    return new NetworkTransfers(
        part,
        remote,
        channelBytes,
        connection(largest, remote * largest),
        firstPart(largest),
        receivers().flush(),
        receivers().matched(1),
        port,
        uplink,
        0);
  }

  /** Size of the first chunk of a transfer, relative to the transfer. */
  private double firstPart(double bytes) {
    return bytes > 0 ? Math.min(1, connection.bufferSizes(0).p2pChunk() / bytes) : 1;
  }

  /**
   * Bytes that the busiest connection of a channel carries one after the other: those of the
   * largest transfer, or an equal part of all transfers if a rank has more than its channels serve
   * at a time. On Blackwell those that an older GPU would carry in the same time.
   *
   * @param largest largest transfer of a rank with another node, in bytes
   * @param sum bytes of all such transfers of a rank
   */
  private double connection(double largest, double sum) {
    P2pChannels channels = connection.p2pChannels(0);
    int perPeer = channels.nChannelsPerPeer();
    double bytes =
        Math.max(largest / perPeer, sum / (OPERATIONS_PER_CHANNEL * channels.nChannels()));
    return connection.minSm() < ComputeCapability.BLACKWELL ? bytes : BLACKWELL_CONNECTION * bytes;
  }

  /** Channels among which a rank divides its transfers with all peers. */
  private int channels() {
    P2pChannels channels = connection.p2pChannels(0);
    int perPeer = channels.nChannelsPerPeer();
    return Math.min(channels.nChannels(), Math.max(perPeer, connection.nRanks() * perPeer / 2));
  }

  /**
   * Properties of an alltoallv. Groups that send at the same time have the same sizes and number of
   * ranks.
   *
   * @param traffic bytes that each rank sends to each rank, itself included
   * @param linksUs time of the busiest link inside a node, in microseconds
   */
  public NetworkTransfers matrix(FabricTraffic.Traffic traffic, double linksUs) {
    int ranks = connection.nRanks();
    int perPeer = connection.p2pChannels(0).nChannelsPerPeer();
    double channelBytes = 0;
    double connectionBytes = 0;
    double largest = 0;
    int peers = 0;
    for (int rank = 0; rank < ranks; rank++) {
      double sent = 0;
      double received = 0;
      double maxBytes = 0;
      double remoteBytes = 0;
      double maxRemote = 0;
      int remotePeers = 0;
      for (int peer = 0; peer < ranks; peer++) {
        double bytes = traffic.bytes(rank, peer);
        double returned = traffic.bytes(peer, rank);
        if (peer != rank) {
          sent += bytes;
          received += returned;
          maxBytes = Math.max(maxBytes, Math.max(bytes, returned));
          if (connection.nodeOf(peer) != connection.nodeOf(rank)) {
            double larger = Math.max(bytes, returned);
            remoteBytes += larger;
            maxRemote = Math.max(maxRemote, larger);
            remotePeers += larger > 0 ? 1 : 0;
          }
        }
      }
      double ownCopy = OWN_COPY * traffic.bytes(rank, rank);
      double perChannel = (Math.max(sent, received) + ownCopy) / channels();
      channelBytes = Math.max(channelBytes, Math.max(perChannel, maxBytes / perPeer));
      connectionBytes = Math.max(connectionBytes, connection(maxRemote, remoteBytes));
      largest = Math.max(largest, maxRemote);
      peers = Math.max(peers, remotePeers);
    }
    return new NetworkTransfers(
        1,
        peers,
        channelBytes,
        connectionBytes,
        firstPart(largest),
        receivers().flush(),
        receivers().matched(1),
        ports((ports, other) -> ports.matrix(traffic)),
        fabric.map(switches -> switches.ofMatrix(traffic)),
        linksUs);
  }

  /** Load of the busiest port for one byte of each transfer. */
  PortLoad peerPort(PeerOperation operation) {
    return peerLoads.computeIfAbsent(
        operation,
        key ->
            switch (operation.pattern()) {
              case TO_ALL, IN_STEPS -> ports((traffic, of) -> traffic.allPeers());
              case TO_NEXT -> ports((traffic, of) -> traffic.neighbors());
              case TO_ROOT -> ports((traffic, of) -> traffic.gather());
              case FROM_ROOT -> ports((traffic, of) -> traffic.scatter());
            });
  }

  private Optional<UplinkLoad> peerUplink(PeerOperation operation) {
    return fabric.map(
        switches ->
            peerUplinks.computeIfAbsent(
                operation,
                key ->
                    switch (operation.pattern()) {
                      case TO_ALL, IN_STEPS -> switches.ofAllPeers();
                      case TO_NEXT -> switches.ofNeighbors();
                      case TO_ROOT -> switches.ofGather();
                      case FROM_ROOT -> switches.ofScatter();
                    }));
  }
}
