package dev.topo.simulator.memory;

import dev.topo.model.Rounding;
import dev.topo.model.operation.Algorithm;
import dev.topo.search.connect.BufferSizes;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Domain.PeerAccess;
import dev.topo.search.path.Transport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Connects ranks, and accounts for the buffers: {@code p2pSendSetup} and {@code p2pRecvSetup}
 * ({@code nccl:src/transport/p2p.cc}), {@code shmSendSetup} and {@code shmRecvSetup} ({@code
 * shm.cc}), {@code sendProxyConnect} and {@code recvProxyConnect} ({@code net.cc}).
 */
final class Transports {
  /**
   * {@code sizeof(struct ncclSendMem)} and {@code ncclRecvMem}, {@code nccl:src/include/comm.h}.
   */
  private static final long CONTROL_BYTES = 4096;

  /** {@code NCCL_SHARED_STEPS}, {@code nccl:src/transport/net.cc}. */
  private static final long SHARED_STEPS = 16;

  /**
   * {@code sizeof(struct ncclProxyOpsPool)}, {@code nccl:src/include/proxy.h}: 72 ranks, 2048
   * operations of 232 bytes for each, and the state of the pool.
   */
  private static final long POOL_BYTES = 72L * 2048 * 232 + 384;

  /** Bytes of the operations pool that become resident when a process reads posted operations. */
  private static final long POSTED_BYTES = 16 * RankMemory.PAGE;

  /** Purpose of a connection, with the names of its buffers. */
  private enum Purpose {
    COLLECTIVES("collectives"),
    PEERS("sends and receives");

    private final String simple;
    private final String ll;
    private final String ll128;
    private final String sendFlags;
    private final String receiveFlags;
    private final String copied;
    private final String flags;

    Purpose(String what) {
      simple = "Simple buffers of " + what;
      ll = "LL buffers of " + what;
      ll128 = "LL128 buffers of " + what;
      sendFlags = "send flags of " + what;
      receiveFlags = "receive flags of " + what;
      copied = "copied buffers of " + what;
      flags = "flags of " + what;
    }
  }

  private final Connection connection;
  private final MemorySettings settings;
  private final int[] jobRanks;
  private final Links[] links;
  private final RankMemory[] accounts;
  private final Ports ports;
  private final Map<Domain, BufferSizes> bufferSizes = new HashMap<>();
  private final Map<Domain, Integer> p2pChannelCounts = new HashMap<>();
  private final Map<Domain, @Nullable PeerAccess[]> peerAccess = new HashMap<>();
  private int lastRank = -1;
  private int lastPeer = -1;
  private Transport lastTransport = Transport.COPY;
  private boolean lastReads;

  /** Rank whose GPU holds the buffers of {@code lastRank} for the pair. */
  private int lastOwner = -1;

  Transports(
      Connection connection,
      MemorySettings settings,
      int[] jobRanks,
      Links[] links,
      RankMemory[] accounts) {
    this.connection = connection;
    this.settings = settings;
    this.jobRanks = jobRanks;
    this.links = links;
    this.accounts = accounts;
    this.ports = new Ports(connection);
  }

  private RankMemory account(int rank) {
    return accounts[jobRanks[rank]];
  }

  /** Connects one direction of a channel of an algorithm. */
  void connect(Algorithm algorithm, int rank, int peer, int channel, boolean send) {
    if (peer != rank
        && links[rank].connect(jobRanks[peer], channel, send)
        && !local(rank, peer, send, Purpose.COLLECTIVES)) {
      network(rank, ports.of(algorithm, channel, rank, send), send);
    }
  }

  /** Connects one direction of channels for sends and receives. */
  void peer(int rank, int peer, List<Integer> channels, boolean send) {
    if (peer == rank || !links[rank].connectPeer(jobRanks[peer], send)) {
      return;
    }
    for (int channel : channels) {
      if (!local(rank, peer, send, Purpose.PEERS)) {
        remote(rank, peer, channel, send);
      }
    }
  }

  /**
   * Connects ranks over the network for sends and receives, with buffers that all connections of a
   * rank share, or with separate ones.
   */
  private void remote(int rank, int peer, int channel, boolean send) {
    if (settings.sharedNetBuffers()) {
      Ports.End end = ports.ofPeer(rank, peer, channel, send);
      if (ports.isNew()) {
        connectShared(rank, end, send);
      }
      addProxyMemory("flags of network connections", rank, end.proxy(), flagBytes(rank));
    } else {
      network(rank, ports.ofPeer(rank, peer, channel, send), send);
    }
  }

  /** Connects ranks inside a node; returns false if the pair needs the network. */
  private boolean local(int rank, int peer, boolean send, Purpose use) {
    if (connection.nodeOf(rank) != connection.nodeOf(peer)) {
      return false;
    }
    return switch (between(rank, peer)) {
      case P2P -> {
        direct(rank, lastOwner, send, use);
        yield true;
      }
      case SHM -> {
        throughHost(rank, send);
        yield true;
      }
      default -> false;
    };
  }

  /** Transport of a pair. The last one is cached, as the channels of a pair usually follow. */
  private Transport between(int rank, int peer) {
    if (rank != lastRank || peer != lastPeer) {
      lastTransport = connection.transport(rank, peer);
      PeerAccess access = access(rank, peer);
      lastReads = settings.readsPeers() >= 0 ? settings.readsPeers() != 0 : access.reads();
      lastOwner =
          access.relay().isPresent()
              ? connection.rankOf(connection.nodeOf(rank), access.relay().getAsInt())
              : rank;
      lastRank = rank;
      lastPeer = peer;
    }
    return lastTransport;
  }

  /** P2P access between two ranks of a node, cached for each pair of GPUs. */
  private PeerAccess access(int rank, int peer) {
    Domain node = connection.domain(connection.nodeOf(rank));
    int gpus = node.topology().gpus().size();
    @Nullable PeerAccess[] known =
        peerAccess.computeIfAbsent(node, key -> new PeerAccess[gpus * gpus]);
    int pair = connection.localGpu(rank) * gpus + connection.localGpu(peer);
    PeerAccess access = known[pair];
    if (access == null) {
      access = connection.peerAccess(rank, peer);
      known[pair] = access;
    }
    return access;
  }

  /** True if two ranks of a node exchange data by P2P through a third GPU. */
  boolean isRelayed(int rank, int peer) {
    return rank != peer
        && connection.nodeOf(rank) == connection.nodeOf(peer)
        && between(rank, peer) == Transport.P2P
        && lastOwner != rank;
  }

  /** Number of channels of a rank for sends and receives; the same for all ranks of its domain. */
  int p2pChannels(int rank) {
    int node = connection.nodeOf(rank);
    return p2pChannelCounts.computeIfAbsent(
        connection.domain(node), key -> connection.p2pChannels(node).nChannels());
  }

  private BufferSizes buffers(int rank) {
    int node = connection.nodeOf(rank);
    return bufferSizes.computeIfAbsent(
        connection.domain(node), key -> connection.bufferSizes(node));
  }

  /**
   * Connects two GPUs directly: the sender allocates flags, the receiver buffers and flags. If the
   * receiver reads, the Simple buffer is with the sender.
   *
   * @param owner rank whose process allocates the memory: that of an intermediate GPU, or {@code
   *     rank} itself
   */
  private void direct(int rank, int owner, boolean send, Purpose use) {
    RankMemory account = account(owner);
    BufferSizes sizes = buffers(rank);
    boolean read = !settings.copiesPeers() && lastReads;
    long simple = send == read ? sizes.simple() : 0;
    long ll = send ? 0 : sizes.ll();
    long ll128 = send ? 0 : sizes.ll128();
    long buffers = simple + ll + ll128;
    if (send && settings.copiesPeers()) {
      attachProxy(rank, rank);
      links[rank].useNetwork();
      account.gpu(use.copied, sizes.simple());
      account.pinned(use.flags, CONTROL_BYTES);
      return;
    }
    long allocated = Rounding.up(CONTROL_BYTES + buffers, RankMemory.GRAIN);
    account.add(use.simple, MemoryPlace.GPU, simple);
    account.add(use.ll, MemoryPlace.GPU, ll);
    account.add(use.ll128, MemoryPlace.GPU, ll128);
    account.add(send ? use.sendFlags : use.receiveFlags, MemoryPlace.GPU, allocated - buffers);
    account(rank).mapPeer();
  }

  /** Connects ranks through host memory. */
  private void throughHost(int rank, boolean send) {
    BufferSizes sizes = buffers(rank);
    long bufferBytes = (long) sizes.ll() + sizes.ll128() + sizes.simple();
    long sender = CONTROL_BYTES + (settings.shmAtSender() ? bufferBytes : 0);
    long receiver = CONTROL_BYTES + (settings.shmAtSender() ? 0 : bufferBytes);
    RankMemory account = account(rank);
    if (settings.cuMemHost()) {
      account.add(
          "buffers in host memory (cuMem)",
          MemoryPlace.HOST,
          Rounding.up(send ? sender : receiver, RankMemory.GRAIN));
    } else {
      account.add(
          "buffers in /dev/shm, of both sides",
          MemoryPlace.HOST_SHARED,
          segment(sender) + segment(receiver));
    }
  }

  /** Size of a segment of {@code /dev/shm} with its reference count ({@code ncclShmOpen}). */
  private static long segment(long bytes) {
    return Rounding.up(bytes + Integer.BYTES, RankMemory.PAGE);
  }

  /** Connects ranks over the network, with separate buffers for the connection. */
  private void network(int rank, Ports.End end, boolean send) {
    BufferSizes sizes = buffers(rank);
    long ll = sizes.ll();
    long ll128AndSimple = (long) sizes.ll128() + sizes.simple();
    long onGpu = end.gdr() ? ll128AndSimple + (send ? 0 : ll) : 0;
    RankMemory proxy = account(end.proxy());
    attachProxy(rank, end.proxy());
    links[rank].useNetwork();
    proxy.gpu("network buffers", onGpu);
    addProxyMemory(
        "network buffers in host memory",
        rank,
        end.proxy(),
        ll + ll128AndSimple - onGpu + 2 * CONTROL_BYTES);
  }

  /**
   * Allocates host memory that a rank shares with the process that drives its port ({@code
   * netCreateShm}); pinned memory if they are the same.
   */
  private void addProxyMemory(String what, int rank, int proxy, long bytes) {
    if (proxy == rank) {
      account(rank).pinned(what, bytes);
    } else if (settings.cuMemHost()) {
      account(proxy).add(what, MemoryPlace.HOST, Rounding.up(bytes, RankMemory.GRAIN));
    } else {
      account(proxy).add(what, MemoryPlace.HOST_SHARED, segment(bytes));
      account(rank).add(what, MemoryPlace.HOST_SHARED, segment(bytes));
    }
  }

  /** Makes the first connection of a rank at an end, with buffers that its connections share. */
  private void connectShared(int rank, Ports.End end, boolean send) {
    attachProxy(rank, end.proxy());
    links[rank].useNetwork();
    if (links[rank].useSharedBuffer(end.proxy(), send, end.gdr())) {
      sharedBuffer(rank, end);
    }
  }

  private long flagBytes(int rank) {
    return 2 * CONTROL_BYTES + (settings.netLl() ? buffers(rank).ll() : 0);
  }

  private void sharedBuffer(int rank, Ports.End end) {
    long bytes = p2pChannels(rank) * SHARED_STEPS * buffers(rank).p2pChunk();
    RankMemory proxy = account(end.proxy());
    if (end.gdr()) {
      proxy.gpu("shared network buffers of sends and receives", bytes);
    } else {
      proxy.pinned("shared network buffers of sends and receives in host memory", bytes);
    }
  }

  /**
   * Allocates memory of the proxies of a rank when all ranks connect at init ({@code
   * proxySharedInit}): its own proxy, whether it sends or not, and with PXN those of other ranks.
   */
  void initializeProxies(int rank) {
    initializeProxy(rank, rank);
    for (int relay : ports.relays(rank)) {
      initializeProxy(rank, relay);
    }
  }

  private void initializeProxy(int rank, int proxy) {
    attachProxy(rank, proxy);
    if (links[rank].useSharedBuffer(proxy, true, true)) {
      sharedBuffer(rank, new Ports.End(proxy, true));
    }
  }

  private void attachProxy(int rank, int proxy) {
    if (links[proxy].attachPool(jobRanks[proxy])) {
      account(proxy)
          .add(
              "operations of the proxy",
              MemoryPlace.HOST_SHARED,
              segment(POOL_BYTES) + RankMemory.PAGE);
    }
    if (rank != proxy && links[rank].attachPool(jobRanks[proxy])) {
      account(rank).add("operations of the proxy", MemoryPlace.HOST_SHARED, RankMemory.PAGE);
    }
  }

  /** Runs a call for which the proxy of a rank may have work. */
  void post(int rank) {
    if (links[rank].post()) {
      account(rank).add("operations of the proxy", MemoryPlace.HOST_SHARED, POSTED_BYTES);
    }
  }
}
