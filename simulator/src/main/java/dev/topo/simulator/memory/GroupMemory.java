package dev.topo.simulator.memory;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Nvls;
import dev.topo.search.connect.P2pSchedule;
import dev.topo.search.connect.Trees;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.kernel.CallPaths.CallPath;
import dev.topo.search.kernel.RegisteredPart;
import dev.topo.search.path.Domain;
import dev.topo.search.transfer.PeerPlanner;
import dev.topo.search.transfer.Traffic;
import dev.topo.search.tuning.Communicator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;

/**
 * Memory that a communicator takes in the processes of its ranks: at its creation ({@code
 * initTransportsRank} and {@code devCommSetup}, {@code nccl:src/init.cc}), and when its calls
 * connect ranks ({@code ncclCollPreconnect}, {@code nccl:src/group.cc}).
 */
final class GroupMemory {
  private static final int NONE = Connection.NONE;

  /** {@code sizeof(struct ncclDevChannelPeer)}, {@code nccl:src/include/device.h}. */
  private static final long CHANNEL_PEER_BYTES = 608;

  /** {@code sizeof(struct ncclKernelCommAndChannels)}, rounded up. */
  private static final long DEVICE_COMM_BYTES = 64 << 10;

  /** {@code sizeof(struct ncclDevProfiler)} for each possible channel. */
  private static final long PROFILER_BYTES = 64 * 1024;

  private static final long POINTER_BYTES = 8;

  private static final long INT_BYTES = 4;

  /** {@code sizeof} of the flag that aborts a communicator, rounded up by CUDA. */
  private static final long FLAG_BYTES = 512;

  /**
   * Memory that CUDA keeps for the streams and events of a communicator. Measured: those of two
   * communicators fill a page of the GPU.
   */
  private static final long STREAM_BYTES = 1L << 20;

  /** Bytes of a credit ({@code ncclNvlsSetup}, {@code nccl:src/transport/nvls.cc}). */
  private static final long CREDIT_BYTES = 64;

  /** Bytes of the first chunk of a CUDA memory pool ({@code cudaMallocFromPoolAsync}). */
  private static final long MEMORY_POOL_BYTES = 32L << 20;

  private static final int SYMMETRIC_BLOCKS = 64;
  private static final int SYMMETRIC_THREADS = 512;
  private static final int SLOT_BYTES = 16;

  private final Communicator communicator;
  private final Connection connection;
  private final MemorySettings settings;
  private final CallPaths paths;
  private final int[] jobRanks;
  private final int[] localRanks;
  private final Links[] links;
  private final RankMemory[] accounts;
  private final Transports transports;
  private final Set<Algorithm> connected = EnumSet.noneOf(Algorithm.class);

  /** Channels of sends and receives, by domain and round. */
  private final Map<Domain, List<List<Integer>>> peerChannels = new HashMap<>();

  private final boolean ownsResources;
  private boolean hasRegistered;
  private boolean hasWindows;

  /**
   * A communicator that is not initialized yet.
   *
   * @param jobRanks rank in the job of each rank of the communicator
   * @param links connections of its ranks: new ones, or those of the parent if it shares resources
   * @param accounts accounts of all ranks of the job
   * @param ownsResources whether it has resources of its own; false if it shares those of its
   *     parent
   */
  GroupMemory(
      Communicator communicator,
      MemorySettings settings,
      int[] jobRanks,
      Links[] links,
      RankMemory[] accounts,
      boolean ownsResources) {
    this.communicator = communicator;
    this.connection = communicator.connection();
    this.settings = settings;
    this.paths = CallPaths.of(communicator);
    this.jobRanks = jobRanks.clone();
    this.links = links.clone();
    this.accounts = accounts;
    this.ownsResources = ownsResources;
    this.localRanks = connection.placesOnNodes();
    this.transports = new Transports(connection, settings, this.jobRanks, this.links, accounts);
  }

  Links[] links() {
    return links.clone();
  }

  private int nRanks() {
    return connection.nRanks();
  }

  private RankMemory account(int rank) {
    return accounts[jobRanks[rank]];
  }

  /** Accounts for the memory of the communicator's creation. */
  void initialize() {
    for (int rank = 0; rank < nRanks(); rank++) {
      initialize(rank);
    }
    if (!settings.runtimeConnect()) {
      connectAll();
    }
  }

  private void initialize(int rank) {
    RankMemory account = account(rank);
    int local = connection.localRanks(connection.nodeOf(rank));
    if (ownsResources) {
      account.addCommunicator(STREAM_BYTES);
      account.pinned("flags", FLAG_BYTES);
    }
    int nvlsChannels = connection.nvls().channels(rank);
    int channels =
        Math.max(connection.nChannels(), Math.max(transports.p2pChannels(rank), nvlsChannels));
    int added = links[rank].addChannels(channels);
    for (int c = 0; c < channels; c++) {
      if (c < added) {
        account.gpu("channels: peers", nRanks() * CHANNEL_PEER_BYTES);
      }
      account.gpu("channels: pointers to peers", (nRanks() + 1 + local) * POINTER_BYTES);
      account.gpu("channels: order of rings", nRanks() * INT_BYTES);
    }
    account.gpu("communicator", DEVICE_COMM_BYTES);
    account.gpu("communicator: local ranks", nRanks() * INT_BYTES);
    account.pinned("work FIFO (NCCL_WORK_FIFO_BYTES)", settings.fifoBytes());
    account.pinned("profiler counters", PROFILER_BYTES);
    account.pinned("profiler counters", PROFILER_BYTES);
    if (ownsResources && nvlsChannels > 0) {
      for (int c = 0; c < nvlsChannels; c++) {
        account.gpu("NVLS: peers", local * CHANNEL_PEER_BYTES);
      }
      account.gpu("NVLS: credits", 2 * nvlsChannels * CREDIT_BYTES * connection.nvls().nHeads());
      createMulticast(rank);
    }
  }

  /**
   * Connects all ranks at init: with NCCL_RUNTIME_CONNECT=0, and in all releases before that
   * setting.
   */
  private void connectAll() {
    connect(Algorithm.RING);
    connect(Algorithm.TREE);
    if (connection.maxLocalRanks() == 1) {
      connect(Algorithm.PAT);
    }
    if (connection.nvls().isSupported()) {
      connect(Algorithm.NVLS);
      connect(Algorithm.NVLS_TREE);
    }
    for (int rank = 0; rank < nRanks(); rank++) {
      transports.initializeProxies(rank);
    }
    if (settings.nvbPreconnect()
        && PeerPlanner.covers(connection.profile())
        && connection.hasRelays()) {
      P2pSchedule schedule = connection.p2pSchedule();
      for (int rank = 0; rank < nRanks(); rank++) {
        connectPeers(schedule, rank, transports::isRelayed);
      }
    }
  }

  /** Accounts for the memory that a collective takes. */
  void call(CollectiveCall call, Buffers buffers) {
    if (nRanks() == 1) {
      return; // a copy of CUDA (ncclLaunchOneRank, nccl:src/enqueue.cc)
    }
    CallPath path =
        paths.of(call, hasWindows || buffers != Buffers.SYMMETRIC ? buffers : Buffers.REGISTERED);
    path.choice()
        .ifPresent(
            choice -> {
              if (settings.runtimeConnect()) {
                if (choice.algorithm() == Algorithm.NVLS_TREE) {
                  connect(Algorithm.NVLS);
                }
                connect(choice.algorithm());
              }
              boolean direct = path.parts().contains(RegisteredPart.PEERS);
              for (int rank = 0; rank < nRanks(); rank++) {
                if (direct && !hasRegistered) {
                  int local = connection.localRanks(connection.nodeOf(rank));
                  account(rank)
                      .gpu("registered buffers: addresses of peers", local * POINTER_BYTES);
                }
                account(rank).launch(kernel(call, choice.algorithm()));
                transports.post(rank);
              }
              hasRegistered |= direct;
            });
  }

  private static LibraryBuild.KernelKind kernel(CollectiveCall call, Algorithm algorithm) {
    return switch (algorithm) {
      case RING ->
          switch (call.collective()) {
            case BROADCAST -> LibraryBuild.KernelKind.BROADCAST;
            default -> LibraryBuild.KernelKind.RING;
          };
      case TREE -> LibraryBuild.KernelKind.TREE;
      default -> LibraryBuild.KernelKind.OTHER;
    };
  }

  /** Accounts for the memory that sends and receives in one group of calls take. */
  void call(PeerOperation operation, long bytes) {
    Traffic traffic = Traffic.of(operation, bytes, nRanks(), 0);
    P2pSchedule schedule = connection.p2pSchedule();
    for (int rank = 0; rank < nRanks(); rank++) {
      connectPeers(schedule, rank, (from, to) -> traffic.bytes(from, to) != Traffic.NONE);
      account(rank).launch(LibraryBuild.KernelKind.PEER);
      transports.post(rank);
    }
  }

  /**
   * Connects a rank with its peers for sends and receives.
   *
   * @param isSent true if the first rank sends to the second
   */
  private void connectPeers(P2pSchedule schedule, int rank, BiPredicate<Integer, Integer> isSent) {
    int node = connection.nodeOf(rank);
    List<P2pSchedule.Round> rounds = schedule.rounds(node, localRanks[rank]);
    List<List<Integer>> channels =
        peerChannels.computeIfAbsent(
            connection.domain(node),
            key -> {
              PeerPlanner planner = new PeerPlanner(connection);
              return IntStream.range(0, rounds.size())
                  .mapToObj(number -> planner.channels(rank, number))
                  .toList();
            });
    for (int number = 0; number < rounds.size(); number++) {
      int to = rounds.get(number).sendTo();
      int from = rounds.get(number).receiveFrom();
      if (to >= 0 && to != rank && isSent.test(rank, to)) {
        transports.peer(rank, to, channels.get(number), true);
      }
      if (from >= 0 && from != rank && isSent.test(from, rank)) {
        transports.peer(rank, from, channels.get(number), false);
      }
    }
  }

  /**
   * Opens windows of symmetric memory ({@code ncclDevrInitOnce}, {@code nccl:src/dev_runtime.cc};
   * {@code ncclSymkInitOnce}, {@code nccl:src/sym_kernels.cc}).
   */
  void openWindows() {
    boolean first = !hasWindows;
    hasWindows = settings.windows() && communicator.profile().symmetric().hasKernels;
    if (!first || !hasWindows) {
      return;
    }
    for (int rank = 0; rank < nRanks(); rank++) {
      RankMemory account = account(rank);
      int local = connection.localRanks(connection.nodeOf(rank));
      account.add("windows: memory pool (CUDA)", MemoryPlace.GPU, MEMORY_POOL_BYTES);
      long slots = 1 + 2L * local * SYMMETRIC_THREADS;
      long barriers = (3L + local) * SYMMETRIC_BLOCKS * INT_BYTES;
      if (connection.nNodes() == 1) {
        account.gpu(
            "windows: buffers of symmetric kernels",
            SYMMETRIC_BLOCKS * slots * SLOT_BYTES + barriers);
      }
      if (local > 1 && account.mapPeer()) {
        account.add("first mapping of another GPU (CUDA)", MemoryPlace.GPU, RankMemory.GRAIN);
      }
    }
  }

  private void connect(Algorithm algorithm) {
    if (nRanks() == 1 || !connected.add(algorithm)) {
      return;
    }
    for (int rank = 0; rank < nRanks(); rank++) {
      connect(algorithm, rank);
    }
  }

  private void connect(Algorithm algorithm, int rank) {
    switch (algorithm) {
      case RING -> connectRing(rank);
      case TREE -> connectTree(rank);
      case PAT -> connectPat(rank);
      case NVLS -> connectNvls(rank);
      case NVLS_TREE -> connectNvlsTree(rank);
      default -> {}
    }
  }

  private void connectRing(int rank) {
    for (int c = 0; c < connection.nChannels(); c++) {
      transports.connect(Algorithm.RING, rank, connection.rings().prev(c, rank), c, false);
      transports.connect(Algorithm.RING, rank, connection.rings().next(c, rank), c, true);
    }
  }

  private void connectTree(int rank) {
    for (int c = 0; c < connection.nChannels(); c++) {
      Trees.Links tree = connection.trees().links(c, rank);
      for (int peer : new int[] {tree.up(), tree.down0(), tree.down1(), tree.down2()}) {
        connectBothWays(Algorithm.TREE, rank, peer, c);
      }
    }
  }

  /** {@code ncclTransportPatConnect}, {@code nccl:src/transport/generic.cc}. */
  private void connectPat(int rank) {
    for (int distance = 1; distance < nRanks(); distance <<= 1) {
      for (int c = 0; c < connection.nChannels(); c++) {
        connectBothWays(Algorithm.PAT, rank, (rank + distance) % nRanks(), c);
        connectBothWays(Algorithm.PAT, rank, (rank + nRanks() - distance) % nRanks(), c);
      }
    }
  }

  /** {@code ncclNvlsBufferSetup}, {@code nccl:src/transport/nvls.cc}. */
  private void connectNvls(int rank) {
    if (ownsResources) {
      createMulticast(rank);
      long steps = connection.profile().buffers().steps;
      account(rank)
          .gpu(
              "NVLS: buffers",
              2L
                  * connection.nvls().channels(rank)
                  * steps
                  * settings.nvlsChunk()
                  * connection.nvls().nHeads());
    }
  }

  /**
   * Creates a multicast object, if the rank is the first of its node: it does so for all ranks of
   * the node ({@code nvlsAllocateMem}).
   */
  private void createMulticast(int rank) {
    if (localRanks[rank] == 0) {
      account(rank).createMulticast();
    }
  }

  private void connectNvlsTree(int rank) {
    int channels = connection.nvls().channels(rank);
    for (int c = 0; c < channels; c++) {
      Nvls.Links tree = connection.nvls().links(c, rank);
      connectBothWays(Algorithm.NVLS_TREE, rank, tree.treeUp(), c);
      for (int peer : tree.treeDown()) {
        connectBothWays(Algorithm.NVLS_TREE, rank, peer, c);
      }
    }
  }

  /**
   * Connects a head with a head of another node. Peer numbers of at least the number of ranks do
   * not denote ranks.
   */
  private void connectBothWays(Algorithm algorithm, int rank, int peer, int channel) {
    if (peer != NONE && peer < nRanks()) {
      transports.connect(algorithm, rank, peer, channel, false);
      transports.connect(algorithm, rank, peer, channel, true);
    }
  }
}
