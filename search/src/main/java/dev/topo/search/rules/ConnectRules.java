package dev.topo.search.rules;

import dev.topo.model.Link.PathType;
import dev.topo.search.rules.RuleTable.Rules;
import java.util.Arrays;

/**
 * Numbers and rules for connecting the nodes of a job ({@code nccl:src/graph/connect.cc}) and for
 * the channels of sends and receives ({@code ncclTopoComputeP2pChannels}, {@code
 * nccl:src/graph/paths.cc}).
 */
public final class ConnectRules extends Rules {
  /** The odd nodes on which alternating rings are swapped in pairs. */
  public enum RingAlternation {
    /** None: 2.19. */
    NEVER,
    /** All, if the number of nodes is even and one node has alternating rings: 2.20. */
    ALL_NODES_OF_EVEN_JOBS,
    /** All, if one node has alternating rings: 2.21 to 2.27. */
    ALL_NODES,
    /** Those whose own rings alternate: from 2.28 on. */
    OWN_RINGS
  }

  /** The condition under which a job gets at least as many channels as NVLS uses. */
  public enum NvlsRaise {
    /** Never: 2.19, and from 2.28 on. */
    NEVER,
    /** The GPUs have multicast, even if no NVLS channels are found: 2.20. */
    WITH_MULTICAST,
    /** All nodes have NVLS channels: 2.21 to 2.27. */
    WITH_NVLS
  }

  /** The order in which ranks are paired for sends and receives. */
  public enum Schedule {
    /** All ranks of a node with all of another, near and far nodes alternating: up to 2.21. */
    DISTANCES,
    /** All ranks of a node with all of another, in growing steps: 2.23 to 2.28.3. */
    NODES,
    /** Groups of equal size, in growing steps, also on a single node: 2.28.7. */
    GROUPS_ON_ONE_NODE_TOO,
    /** Groups of equal size, but a single node is one group: from 2.28.9 on. */
    GROUPS;

    /** True if the ranks of a node may be several groups. */
    public boolean dividesNodes() {
      return this == GROUPS || this == GROUPS_ON_ONE_NODE_TOO;
    }
  }

  /** The GPUs that NVLink must connect for a node to count as all NVLink. */
  public enum NvlinkScope {
    /** Two of its GPUs: up to 2.24. */
    PAIR,
    /** All its GPUs: 2.25 to 2.30.4. */
    NODE,
    /** All GPUs of each node of the job: from 2.30.7 on. */
    JOB
  }

  private final BySm<Double> doubledBelow = table.numbersBySm("connect.doubled-below");
  private final double[] alternatingCrossNics = table.numbers("connect.alternating-cross-nic");
  private final BySm<Double> nvlsChannels = table.numbersBySm("connect.nvls-channels");
  private final BySm<Double> nvlsChannelsAlone = table.numbersBySm("connect.nvls-channels-alone");
  private final BySm<Double> nvlsChannelsFastNet =
      table.numbersBySm("connect.nvls-channels-fast-net");
  private final int fastNetNodes = table.integer("connect.fast-net-nodes");
  private final float fastNetGBps = table.single("connect.fast-net-gbps");
  private final float fastestNetGBps = table.single("connect.fastest-net-gbps");
  private final int fastestNetRanks = table.integer("connect.fastest-net-ranks");
  public final int maxChannels = table.integer("channels.max");

  /** Channels are doubled between nodes whose rings are faster than this. */
  public final float doubledAboveGBps = table.single("connect.doubled-above-gbps");

  /** True if each rank uses its own compute capability as the smallest and the largest. */
  public final boolean ownSmOnly = table.isFirst("connect.sm-range-of", "rank", "job");

  public final RingAlternation ringAlternation =
      table.one("connect.ring-alternation", RingAlternation.class);

  public final NvlinkScope allNvlinkScope = table.one("connect.all-nvlink-of", NvlinkScope.class);

  /** Sizes of the fixed part of a kernel's arguments and of a batch of work in them. */
  public final int kernelArgumentsBytes = table.integer("connect.kernel-arguments-bytes");

  public final int workBatchBytes = table.integer("connect.work-batch-bytes");

  /** Ranks of a node beyond which CollNetDirect is not set up. */
  public final int directRanks = table.integer("connect.direct-ranks");

  /** True if a node with more ranks also prevents CollNetChain. */
  public final boolean largeNodesPreventChains =
      table.isFirst("connect.large-nodes-prevent", "chains", "direct");

  public final NvlsRaise raiseToNvls = table.one("connect.raise-to-nvls", NvlsRaise.class);

  /**
   * True if every NVLS channel counts as a separate head, and a node announces only as many heads
   * as it has rings: 2.19.
   */
  public final boolean headOfEachChannel =
      table.isFirst("connect.nvls-heads", "each-channel", "distinct");

  /** Maximum number of heads on a node, which NCCL does not check. */
  public final int maxNvlsHeads = table.integer("connect.nvls-heads-max");

  /** True if a machine that consists of several nodes does not count as alone. */
  public final boolean nvlsCountsNodes = table.isFirst("connect.nvls-alone-on", "node", "machine");

  /** The smallest value of NCCL_NVLS_NCHANNELS that is not ignored. */
  public final int leastNvlsSetting = table.integer("connect.nvls-setting-least");

  /** Channels to a peer without NVLink, and channels per NVLink to other peers. */
  public final int peerChannels = table.integer("peer.channels");

  public final int peerChannelsPerNvlink = table.integer("peer.channels-per-nvlink");

  /** The farthest path to a peer that counts as NVLink. */
  public final PathType peerNvlink = table.type("peer.nvlink");

  /**
   * True if the channels to a remote peer follow from the bandwidth of the ports of a GPU, and all
   * ranks use the smallest number: from 2.29 on.
   */
  public final boolean peersByBandwidth =
      table.isFirst("peer.remote-channels-by", "bandwidth", "ports");

  /** True if NCCL_PXN_C2C also applies to the GPU that drives a port for sends of others. */
  public final boolean relaysSendsOverC2c = table.flag("peer.relays-over-c2c");

  /** Operations per channel above which NCCL uses fewer channels for each remote peer. */
  public final int peerOperationsPerChannel = table.integer("peer.operations-per-channel");

  public final Schedule schedule = table.one("peer.schedule", Schedule.class);

  /** Ranks per group in the schedule of sends and receives over several nodes. */
  public final int scheduleGroup = table.integer("peer.schedule-group");

  ConnectRules(RuleTable table) {
    super(table);
  }

  /**
   * True if rings of this crossNic alternate: they leave a node by another port than they enter.
   */
  public boolean isAlternating(int crossNic) {
    return Arrays.stream(alternatingCrossNics).anyMatch(alternating -> alternating == crossNic);
  }

  /** The number of channels below which NCCL doubles them, by the lowest compute capability. */
  public int doubledBelow(int minSm) {
    return doubledBelow.at(minSm).intValue();
  }

  /** Channels of NVLS on a GPU of a job on a single machine or node. */
  public int nvlsChannelsAlone(int sm) {
    return nvlsChannelsAlone.at(sm).intValue();
  }

  /**
   * Channels of NVLS on a GPU of a job that crosses the network.
   *
   * @param minSm the lowest compute capability of the job
   * @param nNodes nodes of the job
   * @param minLocalRanks the smallest number of ranks on a node
   * @param minNetGBps bandwidth of the slowest port that a GPU uses, in GB/s
   */
  public int nvlsChannels(int sm, int minSm, int nNodes, int minLocalRanks, float minNetGBps) {
    boolean fastNet =
        nNodes >= fastNetNodes
            && minNetGBps >= fastNetGBps
            && (minNetGBps < fastestNetGBps || minLocalRanks <= fastestNetRanks);
    int fewer = nvlsChannelsFastNet.at(minSm).intValue();
    return fastNet && fewer > 0 ? fewer : nvlsChannels.at(sm).intValue();
  }
}
