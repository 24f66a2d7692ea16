package dev.topo.search.path;

import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.path.NicAccessFinder.GdrRules;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.PathRules;
import dev.topo.search.rules.PathRules.P2cPorts;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds all paths of a topology ({@code ncclTopoComputePaths}, {@code nccl:src/graph/paths.cc}):
 * first the direct paths; then paths between GPUs without P2P are routed through the CPU, and paths
 * between GPUs and NICs through another GPU (PXN) or the CPU. The steps build on each other, so
 * their order is part of the rule. Used once.
 */
public final class PathFinder {
  private final Topology topology;
  private final NcclSettings settings;
  private final NcclProfile profile;
  private final PathRules rules;
  private final boolean pxnOverC2c;
  private final PathTable table;
  private final int[] gpus;
  private final int[] nets;
  private final int[] cpus;
  private final int[] localCpu;
  private final PeerRules peers;
  private final GdrRules gdr;
  private final LocalDevices locals;

  private PathFinder(
      Topology topology, NcclSettings userSettings, NcclProfile profile, int devices) {
    this.profile = profile;
    this.rules = profile.paths();
    this.topology = topology;
    this.settings = profile.complete(userSettings);
    this.pxnOverC2c = settings.pxnOverC2c();
    this.table = PathTable.of(topology, new LinkTable(topology), profile);
    this.gpus = topology.indexes(NodeType.GPU);
    this.nets = topology.indexes(NodeType.NET);
    this.cpus = topology.indexes(NodeType.CPU);
    findDirectPaths();
    this.localCpu = findLocalCpus();
    this.peers =
        new PeerRules(
            settings,
            new PeerLimit(topology, table, p2pLevel(topology, settings, profile, devices)),
            rules.nearNet);
    this.gdr = new GdrRules(topology, table, settings, rules);
    this.locals = new LocalDevices(topology, table, settings, profile);
  }

  /**
   * The paths of a topology under the given settings.
   *
   * @throws UnusableTopologyException where NCCL fails with an internal error
   */
  public static Paths find(Topology topology, NcclSettings settings, NcclProfile profile) {
    return new PathFinder(topology, settings, profile, topology.gpus().size()).find();
  }

  /**
   * The paths of a part of a machine with some of its GPUs. In releases with separate device nodes
   * for GPUs, the device nodes of the other GPUs remain: they count for the bounds, but no path
   * uses them.
   */
  static Paths findInPart(
      Topology part, NcclSettings settings, NcclProfile profile, Paths machine) {
    if (profile.paths().hopsToDevice == 0) {
      return find(part, settings, profile);
    }
    int devices = machine.topology().gpus().size();
    return new PathFinder(part, settings, profile, devices).find(machine.bounds());
  }

  /**
   * The farthest path for P2P between GPUs. By default it stays below the CPU; with two GPUs on an
   * AMD machine it may cross the CPU ({@code ncclTopoCheckP2p}).
   */
  static PathType p2pLevel(Topology topology, NcclSettings settings, NcclProfile profile) {
    return p2pLevel(topology, settings, profile, topology.gpus().size());
  }

  private static PathType p2pLevel(
      Topology topology, NcclSettings settings, NcclProfile profile, int devices) {
    PathRules rules = profile.paths();
    CpuNode cpu = topology.firstCpu();
    PathType usual =
        switch (cpu.arch()) {
          case ARM -> rules.p2p;
          case X86 ->
              switch (cpu.vendor()) {
                case INTEL, ZHAOXIN -> rules.p2p;
                case AMD -> devices <= rules.smallAmdGpus ? rules.p2pSmallAmd : rules.p2p;
                case NONE, UNKNOWN -> rules.p2pOtherCpu;
              };
          case POWER, UNKNOWN -> rules.p2pOtherCpu;
        };
    return settings.p2pLevel().orElse(usual);
  }

  private void findDirectPaths() {
    BreadthFirst search = new BreadthFirst(topology, table, settings.nvlinkThroughGpu(), rules);
    for (NodeType type : new NodeType[] {NodeType.CPU, NodeType.GPU}) {
      for (int target : topology.indexes(type)) {
        search.run(target, target);
      }
    }
    for (int n = 0; n < nets.length; n++) {
      search.run(nets[n], nets[topology.firstNetLike(n)]);
    }
    for (int target : topology.indexes(NodeType.NVS)) {
      search.run(target, target);
    }
  }

  private int[] findLocalCpus() {
    int[] local = new int[gpus.length];
    for (int g = 0; g < gpus.length; g++) {
      local[g] = -1;
      for (int c = 0; c < cpus.length; c++) {
        boolean isReached = table.hops(gpus[g], cpus[c]) > 0;
        if (isReached && (local[g] < 0 || isCloser(gpus[g], cpus[c], cpus[local[g]]))) {
          local[g] = c;
        }
      }
      if (local[g] < 0) {
        throw new UnusableTopologyException(
            topology.gpus().get(g).label() + " has no path to a CPU");
      }
    }
    return local;
  }

  private boolean isCloser(int gpu, int cpu, int other) {
    float bw = table.bwGBps(gpu, cpu);
    float otherBw = table.bwGBps(gpu, other);
    PathType type = table.type(gpu, cpu);
    PathType otherType = table.type(gpu, other);
    boolean alike = rules.cpuByHops || (bw == otherBw && type == otherType);
    return alike
        ? table.hops(gpu, cpu) < table.hops(gpu, other)
        : bw > otherBw || (bw == otherBw && type.rank() < otherType.rank());
  }

  private Paths find() {
    return find(rules.hopsToDevice > 0 ? bounds() : null);
  }

  /** Finds all paths; computes the bounds unless they are given. */
  private Paths find(Paths.@Nullable Bounds givenBounds) {
    for (int g = 0; g < gpus.length; g++) {
      routePeersThroughCpu(g);
      markUnreachablePeers(g);
    }
    useC2cToNics();
    for (int n = 0; n < nets.length; n++) {
      for (int g = 0; g < gpus.length; g++) {
        usePxn(g, n);
        avoidGdr(g, n);
      }
    }
    locals.findAll();
    Paths.Bounds bounds = givenBounds == null ? bounds() : givenBounds;
    return new Paths(profile, topology, table, locals, localCpu, bounds);
  }

  private Paths.Bounds bounds() {
    return new Paths.Bounds(fastest(gpus), fastest(nets), maxGpuGBps());
  }

  /**
   * The highest bandwidth of a GPU in GB/s: the sum of its NVLinks, or its PCI link if that is
   * faster.
   */
  private float maxGpuGBps() {
    float max = 0;
    for (int gpu : gpus) {
      float nvlink = 0;
      float pci = 0;
      for (Link link : topology.links(gpu)) {
        if (link.type() == LinkType.NVL) {
          nvlink += link.bwGBps();
        } else if (link.type() == LinkType.PCI) {
          pci = link.bwGBps();
        }
      }
      max = Math.max(max, Math.max(pci, nvlink));
    }
    return max;
  }

  private float fastest(int[] targets) {
    float fastest = 0;
    for (int gpu : gpus) {
      for (int target : targets) {
        fastest = Math.max(fastest, table.hops(gpu, target) > 0 ? table.bwGBps(gpu, target) : 0);
      }
    }
    return fastest;
  }

  private void routePeersThroughCpu(int g) {
    for (int peer : gpus) {
      if (!peers.isDirect(peer, gpus[g])) {
        detourOverCpu(peer, cpus[localCpu[g]], gpus[g]);
      }
    }
  }

  private void detourOverCpu(int from, int cpu, int to) {
    table.detour(from, cpu, to, merge(table.type(from, cpu), table.type(cpu, to)));
  }

  /** GPUs that can use neither P2P nor shared memory reach each other over the network only. */
  private void markUnreachablePeers(int g) {
    for (int peer : gpus) {
      if (peer != gpus[g] && !peers.canConnect(peer, gpus[g])) {
        table.setType(peer, gpus[g], PathType.NET);
      }
    }
  }

  /** A GPU on C2C reaches NICs below its CPU without the penalty of a PCI host bridge. */
  private void useC2cToNics() {
    if (!rules.has(PathType.P2C)) {
      return;
    }
    for (int g = 0; g < gpus.length; g++) {
      for (int n : p2cCandidates(g)) {
        if (isReachedOverC2c(g, nets[n])) {
          int net = nets[n];
          table.setType(gpus[g], net, PathType.nearer(PathType.P2C, table.type(gpus[g], net)));
          table.setType(
              net,
              gpus[g],
              rules.p2cPorts == P2cPorts.OWN_PHB
                  ? PathType.P2C
                  : PathType.nearer(PathType.P2C, table.type(net, gpus[g])));
          locals.pathsOfGpuChanged(g);
          locals.pathsOfNetChanged(n);
        }
      }
    }
  }

  private int[] p2cCandidates(int g) {
    return rules.p2cPorts == P2cPorts.NEAREST_CPU_PHB
        ? locals.netsNear(g)
        : IntStream.range(0, nets.length).toArray();
  }

  private boolean isReachedOverC2c(int g, int net) {
    int cpu = cpus[localCpu[g]];
    PathType toPort =
        rules.p2cPorts == P2cPorts.OWN_PHB ? table.type(gpus[g], net) : table.type(net, cpu);
    return table.type(gpus[g], cpu) == PathType.C2C && toPort == PathType.PHB;
  }

  private PathType merge(PathType a, PathType b) {
    PathType far = PathType.farther(a, b);
    boolean overC2c = far == PathType.PHB && PathType.nearer(a, b) == PathType.C2C;
    return overC2c ? rules.c2cThenPci : far;
  }

  /**
   * Sends to a NIC through the GPU next to it if that GPU is one NVLink away and the path is
   * better.
   */
  private void usePxn(int g, int n) {
    if (!settings.pxn()) {
      return;
    }
    int relayIndex = locals.gpuOf(n);
    if (relayIndex == g || relayIndex < 0) {
      return;
    }
    int gpu = gpus[g];
    int net = nets[n];
    int relay = gpus[relayIndex];
    boolean near =
        table.type(relay, net).isWithin(rules.pxnRelayToNet(pxnOverC2c))
            && table.type(relay, gpu).isWithin(rules.pxnGpuToRelay);
    boolean usable =
        !rules.relayNeedsGdr || gdr.check(relay, nets[topology.firstNetLike(n)], true).allowed();
    boolean sameHost = topology.node(relay).systemId() == topology.node(gpu).systemId();
    boolean better =
        table.bwGBps(relay, net) > table.bwGBps(gpu, net)
            || !table.type(gpu, net).isWithin(rules.pxnReplacesBeyond(pxnOverC2c));
    if (near && usable && sameHost && better) {
      table.detour(gpu, relay, net, PathType.PXN);
      locals.pathsOfGpuChanged(g);
    }
  }

  /** Routes traffic through the CPU where the NIC may not access the memory of the GPU. */
  private void avoidGdr(int g, int n) {
    int gpu = gpus[g];
    int net = nets[n];
    if (table.type(gpu, net).rank() < rules.gdrDetourBelow.rank()
        && !gdr.check(gpu, nets[topology.firstNetLike(n)], false).allowed()) {
      int cpu = cpus[localCpu[g]];
      detourOverCpu(net, cpu, gpu);
      detourOverCpu(gpu, cpu, net);
      locals.pathsOfGpuChanged(g);
      locals.pathsOfNetChanged(n);
    }
  }

  /**
   * The pairs of GPUs that may exchange data directly: near enough, and with NVLink or the driver's
   * permission for P2P over PCI ({@code ncclTopoCheckP2p} with NVML's answer, {@code
   * nccl:src/graph/paths.cc} 2.19.3 to 2.30.7). Pairs without known permission are assumed to be
   * allowed.
   *
   * @param level the farthest path for direct traffic
   */
  public record PeerLimit(Topology topology, PathTable table, PathType level) {
    public static PeerLimit of(Paths paths, NcclSettings settings) {
      Topology topology = paths.topology();
      return new PeerLimit(topology, paths.table(), p2pLevel(topology, settings, paths.profile()));
    }

    /** True if two GPUs, given by node index, may use their path. */
    public boolean allows(int from, int to) {
      return table.type(from, to).isWithin(level) && mayAccess(from, to).orElse(true);
    }

    /** Whether the driver allows P2P between two GPUs, at any distance; empty if unknown. */
    public Optional<Boolean> mayAccess(int from, int to) {
      return table.type(from, to).isWithin(PathType.NVB)
          ? Optional.of(true)
          : ((GpuNode) topology.node(from)).mayAccess((GpuNode) topology.node(to));
    }

    /** True if the path of two GPUs goes through a third. */
    public boolean isRelayed(int from, int to) {
      return table.hops(from, to) == 2
          && topology.node(table.links().to(table.links(from, to)[0])).type() == NodeType.GPU;
    }

    /** True if paths of a machine depend on unknown permissions of the driver. */
    public static boolean isUnknown(Topology topology, NcclSettings settings, NcclProfile profile) {
      if (topology.gpus().stream().noneMatch(gpu -> gpu.mayAccess(gpu).isEmpty())) {
        return false;
      }
      PeerLimit limit = of(find(topology, settings, profile), settings);
      int[] gpus = topology.indexes(NodeType.GPU);
      return Arrays.stream(gpus)
          .anyMatch(
              a ->
                  Arrays.stream(gpus)
                      .anyMatch(b -> limit.allows(a, b) && limit.mayAccess(a, b).isEmpty()));
    }
  }

  /**
   * Rules for the exchange of data between two GPUs, directly or at least without the network
   * ({@code ncclTopoCheckP2p}, {@code ncclTopoCheckNet} in {@code nccl:src/graph/paths.cc}; {@code
   * canConnect} of the P2P and SHM transports).
   */
  static final class PeerRules {
    private final Topology topology;
    private final PathTable table;
    private final NcclSettings settings;
    private final PeerLimit limit;
    private final PathType nearNet;
    private final int[] nets;

    PeerRules(NcclSettings settings, PeerLimit limit, PathType nearNet) {
      this.topology = limit.topology();
      this.table = limit.table();
      this.settings = settings;
      this.limit = limit;
      this.nearNet = nearNet;
      this.nets = topology.indexes(NodeType.NET);
    }

    /** True if the path may be used for P2P. */
    boolean isDirect(int from, int to) {
      return limit.allows(from, to);
    }

    /**
     * True if data can go by P2P or through shared memory, and neither is slower than the network.
     */
    boolean canConnect(int from, int to) {
      boolean p2p = isDirect(from, to) && (limit.isRelayed(from, to) || !networkIsFaster(from, to));
      return p2p || (settings.sharedMemory() && sameHost(from, to) && !networkIsFaster(from, to));
    }

    private boolean sameHost(int a, int b) {
      return topology.node(a).systemId() == topology.node(b).systemId();
    }

    private boolean networkIsFaster(int from, int to) {
      float bw = table.bwGBps(from, to);
      return settings.networkInsideNode() && fastestNearNet(from) > bw && fastestNearNet(to) > bw;
    }

    private float fastestNearNet(int gpu) {
      float fastest = 0;
      for (int net : nets) {
        if (table.type(gpu, net).isWithin(nearNet)) {
          fastest = Math.max(fastest, table.bwGBps(gpu, net));
        }
      }
      return fastest;
    }
  }
}
