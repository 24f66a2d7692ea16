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
  private final BySm<Double> linkGBps = table.numbersBySm("copy-engine.link-gbps");

  /** What two engines copy within a GPU, or to memory that is not coherent. */
  public final float hostGBps = table.single("copy-engine.host-gbps");

  /** The CUDA version whose driver is the first that multicast at the speed of the links. */
  public final String hostLimitBeforeCuda = table.text("copy-engine.host-limit-before-cuda");

  CopyRules(RuleTable table) {
    super(table);
  }

  /** The time without data. */
  public float floorUs(boolean multicast, int nRanks, int sm) {
    BySm<Double> base = multicast ? multicastUs : unicastUs;
    BySm<Double> rank = multicast ? multicastRankUs : unicastRankUs;
    return base.at(sm).floatValue() + rank.at(sm).floatValue() * nRanks;
  }

  public float linkGBps(int sm) {
    return linkGBps.at(sm).floatValue();
  }
}
