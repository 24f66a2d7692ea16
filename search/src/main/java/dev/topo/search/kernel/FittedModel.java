package dev.topo.search.kernel;

import dev.topo.model.Rounding;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.model.operation.SymmetricKernel.Multicast;
import dev.topo.search.rules.SymmetricRules.FittedRules;

/**
 * The time of AllGather kernels on Blackwell GPUs, from NCCL 2.32 on ({@code ncclSymkLsaA2AModel},
 * {@code nccl:src/tuning/sym_model/lsa_a2a.cc}): the limits of the blocks and of the links, plus a
 * latency per rank.
 */
final class FittedModel {
  private static final double BYTES_PER_US = 1e3;

  private final FittedRules rules;
  private final int sm;
  private final int nRanks;
  private final int cellBytes;

  FittedModel(FittedRules rules, SymmetricFacts facts) {
    this.rules = rules;
    this.sm = facts.sm();
    this.nRanks = facts.nRanks();
    this.cellBytes = facts.profile().symmetric().cellBytes;
  }

  /** True if NCCL uses this model for a launch instead of {@link KernelModel}'s formula. */
  boolean applies(SymmetricKernel kernel, KernelLaunch launch) {
    return launch.calls() == 1 && nRanks >= 2 && rules.row(kernel, sm).isPresent();
  }

  float blockPenalty() {
    return rules.blockPenalty;
  }

  /** The time of a kernel in microseconds with {@code blocks} blocks; some of them may be idle. */
  float timeUs(SymmetricKernel kernel, KernelLaunch launch, int blocks) {
    FittedRules.Row row = rules.row(kernel, sm).orElseThrow();
    long bytes = launch.countBytes();
    int active = activeBlocks(bytes, blocks);
    double sending = active * rules.blockShare(kernel, nRanks, active);
    boolean isTrough = isUneven(kernel) && rules.isTrough(active);
    double ranksUs = (nRanks - 1) * row.rankLatencyUs();
    double blocksUs =
        linesUs(row, bytes, sending)
            + copies(kernel, launch.inPlace()) * bytes / (sending * row.blockGBps() * BYTES_PER_US);
    double linksUs =
        (nRanks - 1) * bytes / (peakGBps(kernel, row, active, isTrough) * BYTES_PER_US);
    double transferUs = Math.max(blocksUs, linksUs);
    if (kernel == SymmetricKernel.ALL_GATHER_LL_MULTICAST) {
      double overlap = Math.min(1, rules.overlappingBlocks / active);
      double exposedUs = (1 - overlap) * Math.min(ranksUs, transferUs);
      return (float) (row.latencyUs() + Math.max(ranksUs, transferUs) + exposedUs);
    }
    return (float) (row.latencyUs() + ranksUs + (isTrough ? rules.troughUs : 0) + transferUs);
  }

  /** Number of blocks that get data when it is divided into whole cells. */
  private int activeBlocks(long bytes, int blocks) {
    long cells = Rounding.quotientUp(bytes, cellBytes);
    return (int) Rounding.quotientUp(cells, Rounding.quotientUp(cells, blocks));
  }

  private static double linesUs(FittedRules.Row row, long bytes, double sending) {
    return row.lineGBps() > 0 ? bytes / (sending * row.lineGBps() * BYTES_PER_US) : 0;
  }

  /** Number of times that a rank sends its part. */
  private double copies(SymmetricKernel kernel, boolean inPlace) {
    if (kernel.multicast() == Multicast.NONE) {
      return inPlace ? nRanks - 1 : nRanks;
    }
    return kernel.isLowLatency() ? nRanks : 1;
  }

  private double peakGBps(
      SymmetricKernel kernel, FittedRules.Row row, int active, boolean isTrough) {
    double peak = isTrough ? Math.min(row.peakGBps(), rules.troughGBps) : row.peakGBps();
    if (isUneven(kernel) && active < nRanks) {
      peak = Math.min(peak, rules.fewBlocksGBps);
    }
    return kernel.multicast() == Multicast.NONE ? peak : peak * ((double) (nRanks - 1) / nRanks);
  }

  private boolean isUneven(SymmetricKernel kernel) {
    return kernel == SymmetricKernel.ALL_GATHER_TMA && rules.unevenSms.contains(sm);
  }
}
