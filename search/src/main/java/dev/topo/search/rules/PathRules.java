package dev.topo.search.rules;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NetNode;
import dev.topo.search.rules.RuleTable.Rules;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rules for the paths that NCCL uses and for distances ({@code nccl:src/graph/paths.cc}). */
public final class PathRules extends Rules {
  /** The treatment of hosts in one NVLink domain (MNNVL), and its evidence. */
  public enum NvlinkDomains {
    /** One node; compared with results of NCCL's own code. */
    COMPARED,
    /** One node by the rules of 2.28.9; not compared with results (2.21.5). */
    BY_SOURCE,
    /** NCCL does not join their topologies (up to 2.20.5), which is not modelled. */
    APART
  }

  public final NvlinkDomains nvlinkDomains = table.one("path.nvlink-domains", NvlinkDomains.class);

  private final List<PathType> types = table.types("path.types");
  private final PathType pxnRelayToNet = table.type("path.pxn-relay-to-net");
  private final PathType pxnRelayToNetC2c = table.type("path.pxn-relay-to-net-c2c");
  private final PathType pxnReplacesBeyond = table.type("path.pxn-replaces-beyond");
  private final PathType pxnReplacesBeyondC2c = table.type("path.pxn-replaces-beyond-c2c");

  /** The type of pairs without a path. */
  public enum WithoutPath {
    DIS,
    /** LOC from the first node of a type to others of its type, DIS between other nodes. */
    LOC_FROM_FIRST,
    LOC
  }

  public final WithoutPath withoutPath = table.one("path.without-path", WithoutPath.class);
  private final String netName = table.text("path.net-name");

  /** The bandwidth of a GPU over all its links where it is the only one of a job. */
  public final float oneGpuTotalGBps = table.single("path.one-gpu-total");

  /**
   * True if paths are ranked by fewest links, then by most bandwidth; from 2.30.7 on by nearest
   * type, then by most bandwidth.
   */
  public final boolean hopsFirst = table.isFirst("path.order", "hops-first", "type-first");

  /** True if the local CPU of a GPU has the fewest links to it, not the most bandwidth. */
  public final boolean cpuByHops = table.isFirst("path.local-cpu", "fewest-hops", "most-bandwidth");

  /** Links between a GPU and its device node; they count in every path (one from 2.30 on). */
  public final int hopsToDevice = table.integer("path.hops-to-device");

  /** The number of a GPU by which its first port is chosen. */
  public enum FirstPort {
    /** Its device number. */
    DEVICE,
    /** Its device number modulo the number of GPUs that share its ports. */
    DEVICE_AMONG_SHARERS,
    /** The latter for some GPUs and ports, and with NCCL_TOPO_SCATTER_START_NET=1. */
    BY_MODEL
  }

  public final FirstPort firstPort = table.one("path.first-port", FirstPort.class);

  /** Compute capability from which the first port is chosen among sharers, by model. */
  public final int firstPortSharersSm = table.integer("path.first-port-sharers-sm");

  private final List<Integer> firstPortSharersModels =
      table.words("path.first-port-sharers-models").stream()
          .map(model -> Integer.parseUnsignedInt(model, 16))
          .toList();

  /** True if one of these ports is of a model for which the first is chosen among sharers. */
  public boolean sharesFirstPort(Stream<NetNode> ports) {
    return ports.anyMatch(port -> firstPortSharersModels.contains(port.pciModel()));
  }

  /** True if a relay for PXN must have GPUDirect RDMA. */
  public final boolean relayNeedsGdr = table.isFirst("path.pxn-relay", "with-gdr", "any");

  /** The farthest path for direct traffic between GPUs. */
  public final PathType p2p = table.type("path.p2p");

  /** P2P limit for at most {@link #smallAmdGpus} GPUs on AMD CPUs. */
  public final PathType p2pSmallAmd = table.type("path.p2p-small-amd");

  /** P2P limit for CPUs of other vendors than Intel, AMD, Zhaoxin and ARM. */
  public final PathType p2pOtherCpu = table.type("path.p2p-other-cpu");

  public final int smallAmdGpus = table.integer("path.small-amd-gpus");

  /** Compute capability from which a NIC may read GPU memory even without NVLinks. */
  public final int gdrReadSm = table.integer("path.gdr-read-sm");

  /** The farthest path for GPUDirect RDMA without NCCL_NET_GDR_C2C, and with it. */
  public final PathType gdr = table.type("path.gdr");

  public final PathType gdrOverC2c = table.type("path.gdr-over-c2c");

  /** The type as which {@link PathType#P2C} counts for GPUDirect RDMA with NCCL_NET_GDR_C2C. */
  public final PathType gdrP2cAs = table.type("path.gdr-p2c-as");

  /** Paths nearer than this are routed through the CPU where GPUDirect RDMA is not allowed. */
  public final PathType gdrDetourBelow = table.type("path.gdr-detour-below");

  /** The farthest path to a port for which the network can replace the path between two GPUs. */
  public final PathType nearNet = table.type("path.near-net");

  /** The farthest path from a GPU to its relay for PXN. */
  public final PathType pxnGpuToRelay = table.type("path.pxn-gpu-to-relay");

  /** The ports that a GPU on C2C reaches over {@link PathType#P2C}. */
  public enum P2cPorts {
    /** Those that are at PHB of the GPU itself (2.27.3). */
    OWN_PHB,
    /** Those that are at PHB of its CPU. */
    CPU_PHB,
    /** The nearest of those at PHB of its CPU (from 2.29 on). */
    NEAREST_CPU_PHB
  }

  public final P2cPorts p2cPorts = table.one("path.p2c-ports", P2cPorts.class);

  /** The type of a path over C2C to the CPU and over PCI from there. */
  public final PathType c2cThenPci = table.type("path.c2c-then-pci");

  /**
   * The farthest path that counts as NVLink in the check whether all GPUs of a node are on NVLink.
   */
  public final PathType allNvlink = table.type("path.all-nvlink");

  /**
   * True if a job on one node keeps its ports and a job on several nodes crosses the network even
   * where a node has none (from 2.28.7 on); before, only the ports of a node decide.
   */
  public final boolean keepsPortsOfOneNode =
      table.isFirst("path.ports-of-one-node", "kept", "removed");

  PathRules(RuleTable table) {
    super(table);
  }

  /** The farthest path from a relay GPU to the port for PXN, with NCCL_PXN_C2C or without. */
  public PathType pxnRelayToNet(boolean overC2c) {
    return overC2c ? pxnRelayToNetC2c : pxnRelayToNet;
  }

  /**
   * PXN replaces paths to a port that are farther than this at any bandwidth, with NCCL_PXN_C2C or
   * without.
   */
  public PathType pxnReplacesBeyond(boolean overC2c) {
    return overC2c ? pxnReplacesBeyondC2c : pxnReplacesBeyond;
  }

  /** The name of a path type in NCCL's log. */
  public String name(PathType type) {
    return type == PathType.NET ? netName : type.name();
  }

  /** NCCL's number of a path type in this version. */
  public int number(PathType type) {
    return types.indexOf(type);
  }

  public boolean has(PathType type) {
    return types.contains(type);
  }

  /** True if a type is as near as a limit or nearer, in the order of this version. */
  public boolean isWithin(PathType type, PathType limit) {
    return types.indexOf(type) <= types.indexOf(limit);
  }

  /** The farther of two types, in the order of this version. */
  public PathType farther(PathType a, PathType b) {
    return isWithin(a, b) ? b : a;
  }

  /** The types of this version with its numbers: {@code 0 LOC, 1 NVL}. */
  public String legend() {
    return IntStream.range(0, types.size())
        .mapToObj(number -> number + " " + types.get(number))
        .collect(Collectors.joining(", "));
  }

  /** The next farther type that this version has. */
  public PathType next(PathType type) {
    return types.get(Math.min(types.indexOf(type) + 1, types.size() - 1));
  }
}
