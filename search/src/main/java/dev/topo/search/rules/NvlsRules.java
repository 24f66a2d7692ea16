package dev.topo.search.rules;

/** How NCCL derives the bandwidth of NVLS ({@code ncclTopoTuneModel}). */
public sealed interface NvlsRules {
  /** The rules of a version: its keys say which. */
  static NvlsRules of(RuleTable table) {
    return table.has("tuning.nvls-all-reduce-share")
        ? new OfLinks(
            table.number("tuning.nvls-all-reduce-share"),
            table.number("tuning.nvls-gather-share"),
            table.flag("tuning.nvls-gathers-from-others"),
            table.single("tuning.nvls-gather-net-share"))
        : new Measured(
            table.numbersBySm("tuning.nvls-efficiency"),
            table.rowsBySm("tuning.nvls-tree-max."),
            table.isFirst("tuning.nvls-ranks", "fewest", "mean"));
  }

  /**
   * From what multicast was measured to reach (from 2.28 on).
   *
   * @param efficiency the part of NVLink bandwidth that multicast reaches
   * @param treeMax the most that a channel of NVLSTree reaches, for {@link TuningRules#atScale}
   * @param countsFewestRanks whether AllGather and ReduceScatter count the ranks of the node that
   *     has fewest, not the mean
   */
  record Measured(BySm<Double> efficiency, BySm<double[]> treeMax, boolean countsFewestRanks)
      implements NvlsRules {}

  /**
   * From the bandwidths of the links (up to 2.27).
   *
   * @param allReduceShare the part of them that AllReduce reaches
   * @param gatherShare the part of them that AllGather and ReduceScatter reach
   * @param gathersFromOthers whether these two count only what goes over the links, not a rank's
   *     own part
   * @param gatherNetShare the part of the network's bandwidth that these two reach
   */
  record OfLinks(
      double allReduceShare, double gatherShare, boolean gathersFromOthers, float gatherNetShare)
      implements NvlsRules {}
}
