package dev.topo.search.rules;

/** Numbers and rules of a send or receive ({@code addP2pToPlan}, {@code nccl:src/enqueue.cc}). */
public final class TransferRules extends Rules {
  /** How NCCL divides a transfer over channels. */
  public enum Division {
    /** Into pieces, each with a protocol of its own; not modelled: up to 2.21. */
    PIECES,
    /** The protocol first, by the channels of a peer: 2.22 to 2.28. */
    PROTOCOL_FIRST,
    /** The channels first; the protocol by as many as the transfer uses: from 2.29 on. */
    CHANNELS_FIRST
  }

  /** True if these rules were compared with real runs; else they are only those of the source. */
  public final boolean comparedWithGpus = table.isFirst("transfer.evidence", "real-gpus", "source");

  public final Division division = table.one("transfer.division", Division.class);

  /** The least part of a channel is a chunk divided by this. */
  private final int leastPartDivisor = table.integer("transfer.least-part-divisor");

  private final int leastPartDivisorNet = table.integer("transfer.least-part-divisor-net");

  /** Chunks of a channel beyond which the transfer takes more channels. */
  private final int mostChunks = table.integer("transfer.most-chunks");

  private final int mostChunksNet = table.integer("transfer.most-chunks-net");

  /** True if rounds begin at channels far from each other, not at one after the other. */
  public final boolean spreadsRounds = table.isFirst("transfer.rounds", "spread", "in-order");

  /** Transfers that a channel runs at once. */
  public final int perBatch = table.integer("transfer.per-batch");

  /** True if only rounds of one group share a batch. */
  public final boolean batchesOfGroups = table.flag("transfer.batches-of-groups");

  /** Size of the description of a pair of transfers, and of all arguments of a kernel. */
  public final int callBytes = table.integer("transfer.call-bytes");

  public final int argumentBytes = table.integer("transfer.argument-bytes");

  TransferRules(RuleTable table) {
    super(table);
  }

  /** The least that a channel gets of a transfer, in a job of several nodes or of one. */
  public int leastPart(int chunkBytes, boolean severalNodes) {
    return chunkBytes / (severalNodes ? leastPartDivisorNet : leastPartDivisor);
  }

  /** The part of a channel beyond which a transfer takes more channels. */
  public long mostPart(int chunkBytes, boolean severalNodes) {
    return (long) chunkBytes * (severalNodes ? mostChunksNet : mostChunks);
  }
}
