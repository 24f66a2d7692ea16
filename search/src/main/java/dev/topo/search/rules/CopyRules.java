package dev.topo.search.rules;

/**
 * Numbers by which NCCL estimates AllGather by copy engines ({@code ncclCeAgLatencyUs}, {@code
 * nccl:src/tuning/ce_model.cc}), single precision as there.
 */
public final class CopyRules extends Rules {
  /** The time without data: of a call, and of each rank. */
  private record Floor(BySm<Double> us, BySm<Double> rankUs) {}

  private final Floor unicast = floor("unicast");
  private final Floor multicast = floor("multicast");
  private final Floor unicastInGraph = floor("graph-unicast");
  private final Floor multicastInGraph = floor("graph-multicast");
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
  public float floorUs(boolean isMulticast, boolean inGraph, int nRanks, int sm) {
    Floor floor =
        isMulticast ? inGraph ? multicastInGraph : multicast : inGraph ? unicastInGraph : unicast;
    return floor.us.at(sm).floatValue() + floor.rankUs.at(sm).floatValue() * nRanks;
  }

  private Floor floor(String name) {
    return new Floor(
        table.numbersBySm("copy-engine." + name + "-us"),
        table.numbersBySm("copy-engine." + name + "-rank-us"));
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
