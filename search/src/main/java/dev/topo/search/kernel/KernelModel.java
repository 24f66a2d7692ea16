package dev.topo.search.kernel;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.model.operation.SymmetricKernel.Multicast;
import dev.topo.search.rules.SymmetricRules;

/**
 * The time of a kernel and the number of blocks that it runs on ({@code queryModel}, {@code
 * nccl:src/sym_kernels.cc}). Single and double precision alternate as in NCCL.
 */
final class KernelModel {
  /** 1 GiB/s in bytes for each microsecond. */
  private static final double GIBPS = (1 << 30) / 1e6;

  private final SymmetricFacts facts;
  private final WindowSettings settings;
  private final SymmetricRules rules;
  private final int nRanks;

  KernelModel(SymmetricFacts facts, WindowSettings settings) {
    this.facts = facts;
    this.settings = settings;
    this.rules = facts.profile().symmetric();
    this.nRanks = facts.nRanks();
  }

  /** The estimate of a kernel for the counts of a launch together. */
  KernelEstimate estimate(SymmetricKernel kernel, long bytes) {
    double busBytes = busBytes(kernel, bytes);
    int most = settings.blocks().orElse(Math.min(maxBlocks(kernel), settings.maxBlocks()));
    int fewest = settings.blocks().orElse(settings.minBlocks());
    float time = (float) timeUs(kernel, busBytes, most);
    for (int blocks = fewest; blocks < most; blocks++) {
      double timeUs = timeUs(kernel, busBytes, blocks);
      if (timeUs <= rules.tolerance * time) {
        return estimate(blocks, (float) timeUs);
      }
    }
    return estimate(most, time);
  }

  private KernelEstimate estimate(int blocks, float timeUs) {
    return new KernelEstimate(blocks, timeUs, timeUs * (1 + rules.blockPenalty * blocks));
  }

  private static boolean usesMulticast(SymmetricKernel kernel) {
    return kernel.multicast() != Multicast.NONE;
  }

  /** The larger of what a rank sends and what it receives. */
  private long busBytes(SymmetricKernel kernel, long bytes) {
    if (kernel.isLowLatency()) {
      return (long) (nRanks * bytes * rules.llTraffic);
    }
    if (kernel.collective() != Collective.ALL_REDUCE) {
      return (nRanks - 1) * bytes;
    }
    return usesMulticast(kernel) ? bytes / nRanks + bytes : 2 * bytes * (nRanks - 1) / nRanks;
  }

  /** How many times its bandwidth a block reaches. */
  private double gain(SymmetricKernel kernel) {
    if (!usesMulticast(kernel)) {
      return 1;
    }
    if (kernel.isLowLatency()) {
      return rules.llMulticastGain;
    }
    return kernel.collective() == Collective.ALL_REDUCE ? nRanks : rules.multicastShare * nRanks;
  }

  private int maxBlocks(SymmetricKernel kernel) {
    return usesMulticast(kernel) && !kernel.isLowLatency()
        ? (rules.multicastBlocks(facts.sm()) + nRanks - 1) / nRanks
        : rules.maxBlocks;
  }

  private double timeUs(SymmetricKernel kernel, double busBytes, int blocks) {
    double blockBandwidth = rules.blockGiBps(kernel, facts.sm()) * GIBPS;
    double peak = rules.peakGiBps(kernel, facts.sm()) * GIBPS;
    double bandwidth = smoothMin(blocks * blockBandwidth * gain(kernel), peak, blockBandwidth);
    return rules.latencyUs(kernel, facts.sm()) + smoothPositive(busBytes / bandwidth - 1);
  }

  /** Approaches the smaller of two numbers. */
  private static double smoothMin(double x, double ceiling, double softness) {
    return ceiling
        - softness * Math.log1p((Math.exp(ceiling / softness) - 1) * Math.exp(-x / softness));
  }

  /** Approaches 0 below 0 and the number above. */
  private static double smoothPositive(double x) {
    return x >= 100 ? x : Math.log1p(Math.exp(x));
  }
}
