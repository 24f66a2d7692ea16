package dev.topo.search.rules;

/**
 * Numbers by which NCCL estimates AllGather by copy engines ({@code ncclCeAgLatencyUs}, {@code
 * nccl:src/tuning/ce_model.cc}), single precision as there.
 */
public final class CopyRules extends Rules {
  private final BySm<Double> unicastUs = table.numbersBySm("copy-engine.unicast-us");
  private final BySm<Double> unicastRankUs = table.numbersBySm("copy-engine.unicast-rank-us");
  private final BySm<Double> multicastUs = table.numbersBySm("copy-engine.multicast-us");
  private final BySm<Double> multicastRankUs = table.numbersBySm("copy-engine.multicast-rank-us");
  private final BySm<Double> graphUnicastUs = table.numbersBySm("copy-engine.graph-unicast-us");
  private final BySm<Double> graphUnicastRankUs =
      table.numbersBySm("copy-engine.graph-unicast-rank-us");
  private final BySm<Double> graphMulticastUs = table.numbersBySm("copy-engine.graph-multicast-us");
  private final BySm<Double> graphMulticastRankUs =
      table.numbersBySm("copy-engine.graph-multicast-rank-us");
  private final int syncCopies = table.integer("copy-engine.sync-copies");
  private final long syncBytes = table.longInteger("copy-engine.sync-bytes");
  private final BySm<Double> linkGBps = table.numbersBySm("copy-engine.link-gbps");

  /** What two engines copy within a GPU, or to memory that is not coherent. */
  public final float hostGBps = table.single("copy-engine.host-gbps");

  /** The CUDA version whose driver is the first that multicast at the speed of the links. */
  public final String hostLimitBeforeCuda = table.text("copy-engine.host-limit-before-cuda");

  CopyRules(RuleTable table) {
    super(table);
  }

  /**
   * The time without data.
   *
   * @param inGraph whether a CUDA graph holds the copies
   */
  public float floorUs(boolean multicast, boolean inGraph, int nRanks, int sm) {
    BySm<Double> base =
        multicast ? inGraph ? graphMulticastUs : multicastUs : inGraph ? graphUnicastUs : unicastUs;
    BySm<Double> rank =
        multicast
            ? inGraph ? graphMulticastRankUs : multicastRankUs
            : inGraph ? graphUnicastRankUs : unicastRankUs;
    return base.at(sm).floatValue() + rank.at(sm).floatValue() * nRanks;
  }

  /**
   * How many times the ranks wait for each other between the copies of a CUDA graph.
   *
   * @param copies copies of a rank, as many bytes each
   */
  public int syncs(int copies, long bytes) {
    if (copies <= syncCopies || bytes * copies < syncBytes) {
      return 0;
    }
    int parts = (copies + syncCopies - 1) / syncCopies;
    return parts - 1 + (parts % 2 == 0 ? 1 : 0);
  }

  public float linkGBps(int sm) {
    return linkGBps.at(sm).floatValue();
  }
}
