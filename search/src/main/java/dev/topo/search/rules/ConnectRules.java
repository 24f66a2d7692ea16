package dev.topo.search.rules;

/**
 * Numbers of connecting the nodes of a job ({@code nccl:src/graph/connect.cc}) and of the channels
 * for sends and receives ({@code ncclTopoComputeP2pChannels}, {@code nccl:src/graph/paths.cc}).
 */
public final class ConnectRules extends Rules {
  private final BySm<Double> nvlsChannels = table.numbersBySm("connect.nvls-channels");
  private final BySm<Double> nvlsChannelsOneMachine =
      table.numbersBySm("connect.nvls-channels-one-machine");
  public final int maxChannels = table.integer("channels.max");

  /**
   * Fewer channels than this are doubled between fast nodes: those of at least this compute
   * capability with rings above this bandwidth.
   */
  public final int doubledBelow = table.integer("connect.doubled-below");

  public final int doubledSm = table.integer("connect.doubled-sm");
  public final float doubledAboveGBps = table.single("connect.doubled-above-gbps");

  /** The crossNic of rings that change places in pairs on every other node. */
  public final int alternatingCrossNic = table.integer("connect.alternating-cross-nic");

  /** Sizes of the fixed part of a kernel's arguments and of a batch of work in them. */
  public final int kernelArgumentsBytes = table.integer("connect.kernel-arguments-bytes");

  public final int workBatchBytes = table.integer("connect.work-batch-bytes");

  /** Ranks of a node beyond which CollNetDirect is not set up. */
  public final int directRanks = table.integer("connect.direct-ranks");

  /** Channels to a peer that is not reached over NVLink, and for each NVLink to one that is. */
  public final int peerChannels = table.integer("peer.channels");

  public final int peerChannelsPerNvlink = table.integer("peer.channels-per-nvlink");

  /** Operations of a channel beyond which NCCL takes fewer channels for each remote peer. */
  public final int peerOperationsPerChannel = table.integer("peer.operations-per-channel");

  ConnectRules(RuleTable table) {
    super(table);
  }

  /** Channels of NVLS on a GPU. */
  public int nvlsChannels(int sm, boolean severalMachines) {
    return (severalMachines ? nvlsChannels : nvlsChannelsOneMachine).at(sm).intValue();
  }
}
