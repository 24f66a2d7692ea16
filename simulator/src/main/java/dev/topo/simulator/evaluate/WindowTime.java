package dev.topo.simulator.evaluate;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.model.operation.SymmetricKernel.Multicast;
import dev.topo.simulator.calibration.NodeCosts;
import dev.topo.simulator.calibration.NodeCosts.NodeCost;
import dev.topo.simulator.timing.TimeEstimate;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import dev.topo.simulator.timing.TimeEstimate.Overlap;
import dev.topo.simulator.timing.TimingModel;

/**
 * The time of kernels for symmetric windows without multicast ({@code nccl:src/device/symmetric}):
 * each block loads its part from the ranks that hold it, reduces it, and stores it to all ranks
 * that need it.
 */
record WindowTime(TimingModel model, NodeCosts costs) {
  private static final double US_PER_PS = 1e-6;

  /** Bytes of a block that its threads move at once. */
  private static final double BYTES_AT_ONCE = 65_536;

  /** True if kernels of a kind were measured: those without multicast and TMA. */
  static boolean isCovered(SymmetricKernel kernel) {
    return kernel.multicast() == Multicast.NONE && !kernel.usesTma();
  }

  /**
   * The time of a call.
   *
   * @param sizeBytes size of the larger of a rank's two buffers
   * @param blocks blocks that share the data
   * @param linkPsPerByte time of the busiest link for a byte that each rank sends to each other
   */
  TimeEstimate estimate(
      SymmetricKernel kernel,
      long sizeBytes,
      int nRanks,
      int blocks,
      boolean inPlace,
      int gpusPerProcess,
      double linkPsPerByte) {
    double part = (double) sizeBytes / nRanks;
    double startUs = startUs(kernel, part / blocks, inPlace);
    double blockUs = part / blocks * psPerByte(kernel, nRanks, inPlace) * US_PER_PS;
    double linkUs = part * linkPsPerByte * US_PER_PS * linkParts(kernel, nRanks);
    double transferUs = Overlap.beside(blockUs, linkUs, Overlap.DRIFTED);
    double launchUs = model.launchUs(gpusPerProcess, blocks);
    double kernelUs = startUs + transferUs;
    Bottleneck bottleneck = linkUs > blockUs ? Bottleneck.LINKS : Bottleneck.CHANNELS;
    return new TimeEstimate(
        Overlap.beside(launchUs, kernelUs, Overlap.LAUNCHES),
        launchUs >= kernelUs
            ? Bottleneck.LAUNCH
            : startUs >= transferUs ? Bottleneck.LATENCY : bottleneck,
        launchUs,
        startUs,
        0,
        0,
        transferUs,
        model.host(gpusPerProcess));
  }

  /**
   * How often a link carries a rank's part: LL doubles the data and sends all of it to all ranks,
   * other kernels of AllReduce load the parts of others and store the sums to them.
   */
  private static int linkParts(SymmetricKernel kernel, int nRanks) {
    boolean isReduced = kernel.collective() == Collective.ALL_REDUCE;
    if (kernel.isLowLatency()) {
      return 2 * (isReduced ? nRanks : 1);
    }
    return isReduced ? 2 : 1;
  }

  private double startUs(SymmetricKernel kernel, double blockBytes, boolean inPlace) {
    if (kernel.isLowLatency()) {
      return costs.value(NodeCost.WINDOW_START_LL);
    }
    double several = 0;
    if (kernel.collective() != Collective.REDUCE_SCATTER && !storesOnce(kernel, inPlace)) {
      several += costs.value(NodeCost.WINDOW_STORES);
    }
    if (kernel.collective() != Collective.ALL_GATHER) {
      several += costs.value(NodeCost.WINDOW_LOADS);
    }
    return costs.value(NodeCost.WINDOW_START)
        + several * (1 - Math.exp(-blockBytes / BYTES_AT_ONCE));
  }

  /** True if a rank's own part is already in place. */
  private static boolean storesOnce(SymmetricKernel kernel, boolean inPlace) {
    return kernel.collective() == Collective.ALL_GATHER && inPlace;
  }

  /** Time of a block for a byte of the part of one rank. */
  private double psPerByte(SymmetricKernel kernel, int nRanks, boolean inPlace) {
    if (kernel.isLowLatency()) {
      // AllReduce sends all data to all ranks.
      int parts = kernel.collective() == Collective.ALL_REDUCE ? nRanks : 1;
      return parts * (nRanks - 1) * costs.value(NodeCost.WINDOW_LL);
    }
    int loads = kernel.collective() == Collective.ALL_GATHER ? 1 : nRanks;
    int stores =
        kernel.collective() == Collective.REDUCE_SCATTER
            ? 1
            : nRanks - (storesOnce(kernel, inPlace) ? 1 : 0);
    return costs.value(NodeCost.WINDOW_COPY)
        + (loads - 1) * costs.value(NodeCost.WINDOW_SOURCE)
        + (stores - 1) * costs.value(NodeCost.WINDOW_DESTINATION);
  }
}
