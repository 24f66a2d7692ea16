package dev.topo.search.rules;

/**
 * Numbers of connecting the nodes of a job ({@code nccl:src/graph/connect.cc}) and of the channels
 * for sends and receives ({@code ncclTopoComputeP2pChannels}, {@code nccl:src/graph/paths.cc}).
 */
public final class ConnectRules {
  private final BySm<Double> nvlsChannels;
  private final BySm<Double> nvlsChannelsOneMachine;

  /** Most channels of a communicator. */
  public final int maxChannels;

  /** Fewer channels than this are doubled between fast nodes. */
  public final int doubledBelow;

  /** Compute capability from which nodes can be fast. */
  public final int doubledSm;

  /** Bandwidth of a ring above which nodes are fast. */
  public final float doubledAboveGBps;

  /** The crossNic of rings that change places in pairs on every other node. */
  public final int alternatingCrossNic;

  /** Size of the fixed part of a kernel's arguments. */
  public final int kernelArgumentsBytes;

  /** Size of a batch of work in a kernel's arguments. */
  public final int workBatchBytes;

  /** Ranks of a node beyond which CollNetDirect is not set up. */
  public final int directRanks;

  /** Channels to a peer that is not reached over NVLink. */
  public final int peerChannels;

  /** Channels to a peer for each NVLink. */
  public final int peerChannelsPerNvlink;

  /** Operations of a channel beyond which NCCL takes fewer channels for each remote peer. */
  public final int peerOperationsPerChannel;

  ConnectRules(RuleTable table) {
    nvlsChannels = table.numbersBySm("connect.nvls-channels");
    nvlsChannelsOneMachine = table.numbersBySm("connect.nvls-channels-one-machine");
    maxChannels = table.integer("channels.max");
    doubledBelow = table.integer("connect.doubled-below");
    doubledSm = table.integer("connect.doubled-sm");
    doubledAboveGBps = table.single("connect.doubled-above-gbps");
    alternatingCrossNic = table.integer("connect.alternating-cross-nic");
    kernelArgumentsBytes = table.integer("connect.kernel-arguments-bytes");
    workBatchBytes = table.integer("connect.work-batch-bytes");
    directRanks = table.integer("connect.direct-ranks");
    peerChannels = table.integer("peer.channels");
    peerChannelsPerNvlink = table.integer("peer.channels-per-nvlink");
    peerOperationsPerChannel = table.integer("peer.operations-per-channel");
  }

  /** Channels of NVLS on a GPU. */
  public int nvlsChannels(int sm, boolean severalMachines) {
    return (severalMachines ? nvlsChannels : nvlsChannelsOneMachine).at(sm).intValue();
  }
}
