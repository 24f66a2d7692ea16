package dev.topo.search.rules;

import dev.topo.model.operation.Collective;
import dev.topo.search.rules.RuleTable.Rules;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/** Numbers by which NCCL chooses threads and channels of a call ({@code nccl:src/enqueue.cc}). */
public final class LaunchRules extends Rules {
  private final double[] thresholds = table.numbers("launch.thresholds");
  public final int maxThreads = table.integer("launch.max-threads");

  public final int minThreads = table.integer("launch.min-threads");

  /** Maximum number of threads of a channel by protocol, and the minimum for LL128. */
  public final int simpleThreads = table.integer("launch.simple-threads");

  public final int llThreads = table.integer("launch.ll-threads");
  public final int ll128Threads = table.integer("launch.ll128-threads");
  public final int ll128MinThreads = table.integer("launch.ll128-min-threads");

  /** Threads of Simple on rings of at most {@link #slowRingGBps} in total. */
  public final int slowRingThreads = table.integer("launch.slow-ring-threads");

  public final double slowRingGBps = table.number("launch.slow-ring-gbps");

  /** Bytes for each thread of CollNet with Simple. */
  public final long collNetThreshold = table.longInteger("launch.collnet-threshold");

  /** A block of threads is halved only while it is a multiple of this. */
  public final int halvedBlock = table.integer("launch.halved-block");

  /** Warps that Simple adds on rings for synchronization. */
  public final int ringExtraWarps = table.integer("launch.ring-extra-warps");

  /** True if trees use all threads of a kernel (from 2.22 on). */
  public final boolean treesUseWholeKernel = table.flag("launch.trees-use-whole-kernel");

  /** Warps that Simple adds on trees that do not use the whole kernel. */
  public final int treeExtraWarps =
      treesUseWholeKernel ? 0 : table.integer("launch.tree-extra-warps");

  /** True if trees divide their data with Simple so that all hops are busy (before 2.20). */
  public final boolean treeChunksByDepth = table.flag("launch.tree-chunks-by-depth");

  /** True if NVLS over several nodes uses no more channels than rings. */
  public final boolean nvlsWithinChannels = table.flag("launch.nvls-within-channels");

  public final int minWarps = table.integer("launch.min-warps");

  /** First number of channels at which CollNetDirect stops removing channels. */
  public final int collNetFirstMark = table.integer("launch.collnet-first-mark");

  /** True if a call may use the channels that were added to match NVLS (not in 2.20 and 2.21). */
  public final boolean callsUseRaisedChannels = table.flag("launch.calls-use-raised-channels");

  /** How a call is divided over channels. */
  public final Shares shares = shares(table);

  LaunchRules(RuleTable table) {
    super(table);
  }

  /** How NCCL divides a call over channels, determined by the keys of a version. */
  public sealed interface Shares {
    /**
     * By the traffic on the links (from 2.22 on).
     *
     * @param minBytes least traffic of a channel
     * @param cellBytes alignment of the cells that a call is divided into
     * @param llFactor factor of the traffic of LL, which sends a flag with every word
     */
    record ByTraffic(long minBytes, int cellBytes, int llFactor) implements Shares {}

    /**
     * In equal parts (2.20 and 2.21).
     *
     * @param partBytes alignment of the parts
     * @param llThreadBytes alignment for each thread with LL
     * @param ll128WarpBytes alignment for each warp with LL128
     * @param simpleBytes alignment with Simple
     */
    record Equal(int partBytes, int llThreadBytes, int ll128WarpBytes, int simpleBytes)
        implements Shares {}

    /** Over all chosen channels, however small the call is (2.19). */
    record AllChannels() implements Shares {}
  }

  private static Shares shares(RuleTable table) {
    if (table.has("launch.part-bytes")) {
      double[] alignments = table.numbers("launch.part-alignments");
      return new Shares.Equal(
          table.integer("launch.part-bytes"),
          (int) alignments[0],
          (int) alignments[1],
          (int) alignments[2]);
    }
    return table.has("launch.all-channels") && table.flag("launch.all-channels")
        ? new Shares.AllChannels()
        : new Shares.ByTraffic(
            table.longInteger("launch.min-traffic-bytes"),
            table.integer("launch.cell-bytes"),
            table.integer("launch.ll-traffic"));
  }

  /** Bytes for each thread below which NCCL uses fewer channels or threads, by protocol number. */
  public long[] thresholds() {
    return Arrays.stream(thresholds).mapToLong(bytes -> (long) bytes).toArray();
  }

  /**
   * Sizes in bytes of the buffers between two ranks ({@code computeBuffSizes}, {@code
   * nccl:src/init.cc}).
   */
  public static final class BufferRules extends Rules {
    private final BySm<Double> netChunksWithArm = table.numbersBySm("buffer.net-chunks-with-arm");

    /** Steps that a buffer is divided into. */
    public final int steps = table.integer("buffer.steps");

    /** The size of the buffer for each protocol. */
    public final int ll = table.integer("buffer.ll");

    public final int ll128 = table.integer("buffer.ll128");
    public final int simple = table.integer("buffer.simple");

    BufferRules(RuleTable table) {
      super(table);
    }

    /** Factor of the chunk of traffic between nodes with Arm CPUs, which have fewer GPUs. */
    public int netChunksWithArm(int minSm) {
      return netChunksWithArm.at(minSm).intValue();
    }
  }

  /** Numbers and rules of a send or receive ({@code addP2pToPlan}, {@code nccl:src/enqueue.cc}). */
  public static final class TransferRules extends Rules {
    /** How NCCL divides a transfer over channels. */
    public enum Division {
      /** Into pieces, each with its own protocol; not modelled: up to 2.21. */
      PIECES,
      /** The protocol first, by the channels of a peer: 2.22 to 2.28. */
      PROTOCOL_FIRST,
      /** The channels first, then the protocol by the number of channels used: from 2.29 on. */
      CHANNELS_FIRST
    }

    /**
     * True if these rules were compared with real runs; otherwise they are from the source only.
     */
    public final boolean comparedWithGpus =
        table.isFirst("transfer.evidence", "real-gpus", "source");

    public final Division division = table.one("transfer.division", Division.class);

    /** Divisor of the chunk size for the minimum part of a channel. */
    private final int leastPartDivisor = table.integer("transfer.least-part-divisor");

    private final int leastPartDivisorNet = table.integer("transfer.least-part-divisor-net");

    /** Chunks per channel above which a transfer uses more channels. */
    private final int mostChunks = table.integer("transfer.most-chunks");

    private final int mostChunksNet = table.integer("transfer.most-chunks-net");

    /** True if rounds begin at channels far from each other, not at consecutive ones. */
    public final boolean spreadsRounds = table.isFirst("transfer.rounds", "spread", "in-order");

    /** Transfers that a channel runs at once. */
    public final int perBatch = table.integer("transfer.per-batch");

    /** True if only rounds of one group share a batch. */
    public final boolean batchesOfGroups = table.flag("transfer.batches-of-groups");

    /** Bytes of the description of a pair of transfers, and of all arguments of a kernel. */
    public final int callBytes = table.integer("transfer.call-bytes");

    public final int argumentBytes = table.integer("transfer.argument-bytes");

    TransferRules(RuleTable table) {
      super(table);
    }

    /** The minimum bytes of a transfer per channel, in a job on several nodes or on one. */
    public int leastPart(int chunkBytes, boolean severalNodes) {
      return chunkBytes / (severalNodes ? leastPartDivisorNet : leastPartDivisor);
    }

    /** The bytes per channel above which a transfer uses more channels. */
    public long mostPart(int chunkBytes, boolean severalNodes) {
      return (long) chunkBytes * (severalNodes ? mostChunksNet : mostChunks);
    }
  }

  /**
   * The effects of registered buffers on the launch of an algorithm ({@code
   * nccl:src/register/coll_reg.cc}; {@code ncclNvlsRegResourcesQuery}, {@code
   * nccl:src/transport/nvls.cc}). The numbers apply to 2.27 and 2.28; they have no meaning for a
   * version with other {@link #knowledge}.
   */
  public static final class RegistrationRules extends Rules {
    /** What is known about registered buffers in a version. */
    public enum Knowledge {
      /** The rules are known. */
      KNOWN,
      /** The version has other rules: up to 2.26 and from 2.29 on. */
      OTHER
    }

    private final Map<Collective, BySm<Double>> nvlsAlone =
        table.numbersByCollective("registration.nvls-alone.");
    private final Map<Collective, BySm<Double>> nvls =
        table.numbersByCollective("registration.nvls.");
    private final BySm<Double> nvlsFastReduceScatter =
        table.numbersBySm("registration.nvls.fast-reduce-scatter");

    public final Knowledge knowledge = table.one("registration.rules", Knowledge.class);

    /** The value of NCCL_CTA_POLICY that prefers few channels to short times. */
    public final int efficientPolicy = table.integer("registration.efficient-policy");

    /** Bandwidth of ReduceScatter by NVLS above which it gets more channels. */
    final double nvlsFastGBps = table.number("registration.nvls-fast-gbps");

    /** The reduced number of channels on one node with direct access to registered buffers. */
    public final int peerChannels = table.integer("registration.peer-channels");

    /** The largest number of channels that is reduced to {@link #peerChannels}. */
    public final int peerChannelsMost = table.integer("registration.peer-channels-most");

    /** The number of channels if the network accesses the buffers of the only rank of each node. */
    public final int networkChannels = table.integer("registration.network-channels");

    RegistrationRules(RuleTable table) {
      super(table);
    }

    /** Total number of channels of all NVLS heads on one node. */
    public int nvlsChannelsAlone(Collective collective, int sm) {
      return at(nvlsAlone, collective, sm);
    }

    /**
     * Channels of NVLS on several nodes.
     *
     * @param modelGBps bandwidth of the collective by NVLS in the tuning model
     */
    public int nvlsChannels(Collective collective, int sm, double modelGBps) {
      return collective == Collective.REDUCE_SCATTER && modelGBps > nvlsFastGBps
          ? nvlsFastReduceScatter.at(sm).intValue()
          : at(nvls, collective, sm);
    }

    private static int at(Map<Collective, BySm<Double>> values, Collective collective, int sm) {
      return Objects.requireNonNull(values.get(collective)).at(sm).intValue();
    }
  }
}
