package dev.topo.search.rules;

import dev.topo.model.Link.PathType;
import dev.topo.model.xml.GraphFormat;
import dev.topo.search.rules.RuleTable.Rules;
import java.util.List;
import java.util.Optional;

/** Numbers of the channel search ({@code nccl:src/graph/search.cc}). */
public final class SearchRules extends Rules {
  private final BySm<double[]> speedsIntra = table.rowsBySm("search.speeds-intra.");
  private final BySm<double[]> speedsInter = table.rowsBySm("search.speeds-inter.");
  private final float intelNumerator;
  private final float intelDenominator;

  /**
   * The nearest and the farthest path between GPUs that are tried; empty if the machine determines
   * them (from 2.25.1 on).
   */
  public final Optional<List<PathType>> typesWithPeers =
      table.typesOr("search.types-with-peers", "existing");

  /** The same for paths to a port. */
  public final Optional<List<PathType>> typesWithNetwork =
      table.typesOr("search.types-with-network", "existing");

  /** The nearest and the farthest path between GPUs where there is one GPU. */
  public final List<PathType> typesWithoutPeers = table.types("search.types-without-peers");

  /** The nearest and the farthest path to a port in a job that does not cross the network. */
  public final List<PathType> typesWithoutNetwork = table.types("search.types-without-network");

  public final int maxChannels = table.integer("channels.max");

  /** The format of graph files, with the graphs that the version searches for. */
  public final GraphFormat graphFormat;

  /**
   * Steps of an attempt in which every channel repeats the previous one, and of any other attempt.
   */
  public final int stepsSameChannels = table.integer("search.steps-same-channels");

  public final int stepsDifferentChannels = table.integer("search.steps-different-channels");

  /** Steps of the first attempt with GPUs in PCI order, which are not counted. */
  public final int stepsPciOrder = table.integer("search.steps-pci-order");

  /** Steps after which a search that has a solution stops relaxing. */
  public final int stepsTotal = table.integer("search.steps-total");

  /** Compute capability from which a tree that is not balanced is tried. */
  public final int plainTreeSm = table.integer("search.plain-tree-sm");

  /** Types of paths to the network below this are relaxed even when channels have been found. */
  public final PathType interTypeRelaxedBelow = table.type("search.inter-type-relaxed-below");

  /**
   * The crossNic that NCCL_CROSS_NIC=2 tries besides 0: 2 from 2.23 on, 1 before. Channels that
   * alternate are those with this number.
   */
  public final int triedCrossNic = table.integer("search.crossnic-tried");

  /** Which channels alternate. */
  public final Alternating alternating = table.one("search.alternating", Alternating.class);

  /**
   * True if a tree with all traffic at one GPU is also searched with other ports, although it has
   * only one port (up to 2.21.5).
   */
  public final boolean triesPortsForPlainTree =
      !table.isFirst("search.crossnic-patterns", "ring-and-balanced-tree", "all");

  /** The fraction of its bandwidth by which a graph that changes ports must be better. */
  public final double crossNicHandicap = table.number("search.crossnic-handicap");

  /** The GPUs at which NVLS and CollNetDirect channels begin. */
  public enum Heads {
    /**
     * The GPU next to the channel's port; none if the port has too little bandwidth: up to 2.21.
     */
    ONE_FOR_EACH_PORT,
    /**
     * GPUs that are not heads yet. NCCL does not give back the bandwidth of a port whose GPU is
     * already one: 2.22.
     */
    DISTINCT_GPUS_LOSING_PORTS,
    /** GPUs that are not heads yet: from 2.23 on. */
    DISTINCT_GPUS
  }

  public final Heads heads = table.one("search.heads", Heads.class);

  /** True if, on an NVSwitch, other GPUs are tried after the two neighbours. */
  public final boolean triesBeyondNeighbours =
      !table.isFirst("search.switch-order", "neighbours-only", "neighbours-first");

  /**
   * True if the bandwidth of a single GPU limits the first speed that is tried (from 2.21.5 on).
   */
  public final boolean limitsSingleGpu = table.isFirst("search.single-gpu", "limited", "unlimited");

  /** A lower bandwidth is tried only above this fraction of the bandwidth found. */
  public final double leastBandwidthShare = table.number("search.least-bandwidth-share");

  /** The second pass raises bwIntra or bwInter only up to this multiple of the other. */
  public final int raiseLimit = table.integer("search.raise-limit");

  /**
   * Channels of at least this bandwidth are doubled; above {@link #duplicateAboveSm} and {@link
   * #duplicateNewerChannels} only those of at least {@link #duplicateNewerGBps}.
   */
  public final float duplicateGBps = table.single("search.duplicate-gbps");

  public final int duplicateAboveSm = table.integer("search.duplicate-above-sm");
  public final float duplicateNewerGBps = table.single("search.duplicate-newer-gbps");
  public final int duplicateNewerChannels = table.integer("search.duplicate-newer-channels");

  /**
   * Writes of a NIC to GPUs below this compute capability also cost bandwidth in the reverse
   * direction: their own divided by {@link #readRequestDivisor}.
   */
  public final int readRequestBelowSm = table.integer("search.read-request-below-sm");

  public final float readRequestDivisor = table.single("search.read-request-divisor");

  /** The GPUs at which a channel from a port begins. */
  public final FirstGpus firstGpus = table.one("search.first-gpus", FirstGpus.class);

  /**
   * True if channels that may differ are also tried in the order of the previous one (up to
   * 2.27.3), before other orders.
   */
  public final boolean replaysDifferentChannels =
      !table.isFirst("search.replay", "same-channels", "all-channels");

  /**
   * True if a channel may continue without a path, which takes no bandwidth (up to 2.26.2): paths
   * may become as far as {@link PathType#DIS}.
   */
  public final boolean goesOnWithoutPath = !table.isFirst("search.without-path", "refused", "free");

  /** Compute capability from which GPUs have NVLink multicast. */
  public final int nvlsSm = table.integer("search.nvls-sm");

  /** Minimum number of GPUs on a node for NVLS: two from 2.28.7 on, three before. */
  public final int nvlsMinGpus = table.integer("search.nvls-min-gpus");

  /**
   * True if {@code NCCL_NETDEVS_POLICY=MAX:N} limits all ports that channels try (2.28.7 on), not
   * only those that a GPU prefers.
   */
  public final boolean policyLimitsAllPorts =
      table.isFirst("search.policy-limits", "all-ports", "preferred-ports");

  /**
   * True if the GPUs of several hosts take turns with their preferred ports (from 2.27.5 on, with
   * NCCL_MNNVL_SCATTER_NETS_ENABLE).
   */
  public final boolean scattersPorts = table.isFirst("search.ports-of-hosts", "by-turns", "by-gpu");

  /**
   * True if all ports that no GPU prefers are tried (up to 2.20.5), not only those among the first
   * {@link #maxChannels} ports.
   */
  public final boolean triesAllPorts = !table.isFirst("search.other-ports", "as-channels", "all");

  /** Maximum number of GPUs that are heads. */
  public final int nvlsHeads = table.limit("search.nvls-heads");

  public final int collNetHeads = table.integer("search.collnet-heads");

  /** Minimum number of rings on two NVLink islands. */
  public final int islandsMinRings = table.integer("search.islands-min-rings");

  /**
   * Below this compute capability paths to a port are relaxed to {@link PathType#SYS}, even beyond
   * the farthest existing type (from 2.29.3 on).
   */
  public final int anyPathToNetBelowSm = table.integer("search.any-path-to-net-below-sm");

  /**
   * True if the channel that NCCL falls back to has the preferred ports of its first and its last
   * GPU (from 2.29.3 on), not port 0.
   */
  public final boolean fallbackUsesPortsOfGpus =
      !table.isFirst("search.fallback-ports", "port-0", "end-gpus");

  /** Bandwidth of the channel that NCCL falls back to. */
  public final float fallbackGBps = table.single("search.fallback-gbps");

  /** The channels that enter by the port by which the previous one left, and vice versa. */
  public enum Alternating {
    /** Rings alone (from 2.23 on). */
    RINGS,
    /** Rings and trees (2.20.3 to 2.22.3). */
    ALL,
    /** None; a channel may leave by any port (2.19.3). */
    NONE
  }

  /** The GPUs at which a channel from a port begins, and their order. */
  public enum FirstGpus {
    /** The GPU that drives the port, then the other nearest GPUs (2.27.5 on). */
    DRIVER_FIRST,
    /** The nearest: those with the most bandwidth, among them those with the best path (2.27.3). */
    NEAREST,
    /**
     * Those with the most bandwidth, among them those with the fewest hops; each channel begins at
     * the next GPU (up to 2.26.2).
     */
    FASTEST_BY_TURNS
  }

  SearchRules(RuleTable table) {
    super(table);
    graphFormat =
        new GraphFormat(
            table.graphs("search.graphs"),
            table.isFirst("search.graph-file-nvls-gpus", "head", "head-and-zeros"),
            table.isFirst("search.graph-file-devices", "hexadecimal", "decimal"),
            table.isFirst("search.graph-file-gpus", "device-and-rank", "device"),
            table.integer("search.collnet-direct-id"));
    String[] overhead = table.text("search.intel-overhead").split("/", 2);
    intelNumerator = Float.parseFloat(overhead[0]);
    intelDenominator = Float.parseFloat(overhead[1]);
  }

  /** The bandwidths in GB/s that are tried for a channel, highest first. */
  public float[] speeds(int minSm, boolean crossesNetwork) {
    double[] exact = (crossesNetwork ? speedsInter : speedsIntra).at(minSm);
    float[] speeds = new float[exact.length];
    for (int i = 0; i < speeds.length; i++) {
      speeds[i] = (float) exact[i];
    }
    return speeds;
  }

  /** The bandwidth in GB/s that traffic through an Intel CPU needs on PCI links. */
  public float withIntelOverhead(float bwGBps) {
    return bwGBps * intelNumerator / intelDenominator;
  }
}
