package dev.topo.search.kernel;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.model.operation.SymmetricKernel.Multicast;
import dev.topo.search.rules.SymmetricRules;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;

/**
 * The time of a kernel and the number of blocks that it runs on ({@code queryModel}, {@code
 * nccl:src/sym_kernels.cc}; from 2.31 on {@code nccl:src/tuning/sym_model.cc}, from 2.32 on {@code
 * ncclSymkLsaModel} in its folder {@code sym_model}). Single and double precision alternate as in
 * NCCL.
 */
final class KernelModel {
  /** 1 GiB/s in bytes per microsecond. */
  private static final double GIBPS = (1 << 30) / 1e6;

  private final SymmetricFacts facts;
  private final WindowSettings settings;
  private final SymmetricRules rules;
  private final int nRanks;
  private final Optional<FittedModel> fitted;

  KernelModel(SymmetricFacts facts, WindowSettings settings) {
    this.facts = facts;
    this.settings = settings;
    this.rules = facts.profile().symmetric();
    this.nRanks = facts.nRanks();
    this.fitted = rules.fitted.map(numbers -> new FittedModel(numbers, facts));
  }

  /**
   * The range of the number of blocks that a kernel may use.
   *
   * @param min the smallest number
   * @param max the largest number
   */
  private record Blocks(int min, int max) {}

  private Blocks blocks(SymmetricKernel kernel) {
    int max = settings.blocks().orElse(Math.min(maxBlocks(kernel), settings.maxBlocks()));
    int min = settings.blocks().orElse(Math.min(settings.minBlocks(), max));
    return rules.evenBlocks && min != max
        ? new Blocks(min == 1 ? 1 : (min + 1) / 2 * 2, max == 1 ? 1 : max / 2 * 2)
        : new Blocks(min, max);
  }

  /**
   * The estimate of a kernel for all calls of a launch; empty if the kernel uses TMA and the calls
   * are too small.
   */
  Optional<KernelEstimate> estimate(SymmetricKernel kernel, KernelLaunch launch) {
    long largest = launch.countBytes();
    int min = blocks(kernel).min();
    int max = blocks(kernel).max();
    if (kernel.usesTma()) {
      if (copiesInBulk(kernel, largest, min)) {
        while (max > min && !copiesInBulk(kernel, largest, max)) {
          max -= max == 2 ? 1 : 2;
        }
      } else if (!settings.kernels().isStated()) {
        return Optional.empty();
      }
    }
    Blocks range = new Blocks(min, max);
    Optional<FittedModel> fitting = fitted.filter(model -> model.applies(kernel, launch));
    if (fitting.isPresent()) {
      FittedModel model = fitting.get();
      return Optional.of(
          estimate(range, blocks -> model.timeUs(kernel, launch, blocks), model.blockPenalty()));
    }
    double busBytes = busBytes(kernel, launch.bytes());
    return Optional.of(
        estimate(range, blocks -> timeUs(kernel, busBytes, blocks), rules.blockPenalty));
  }

  /** The smallest count in bytes with which a TMA kernel copies in bulk, on the fewest blocks. */
  long leastBytes(SymmetricKernel kernel) {
    return rules.tma.leastBytes(kernel, nRanks, blocks(kernel).min());
  }

  private boolean copiesInBulk(SymmetricKernel kernel, long bytes, int blocks) {
    return bytes >= rules.tma.leastBytes(kernel, nRanks, blocks);
  }

  /** The estimate with the smallest number of blocks about as fast as the largest. */
  private KernelEstimate estimate(Blocks range, IntToDoubleFunction timesUs, float penalty) {
    float time = (float) timesUs.applyAsDouble(range.max());
    int step = rules.evenBlocks ? 2 : 1;
    for (int blocks = range.min(); blocks < range.max(); blocks += blocks == 1 ? 1 : step) {
      double timeUs = timesUs.applyAsDouble(blocks);
      if (timeUs <= rules.tolerance * time) {
        return estimate(blocks, (float) timeUs, penalty);
      }
    }
    return estimate(range.max(), time, penalty);
  }

  private static KernelEstimate estimate(int blocks, float timeUs, float penalty) {
    return new KernelEstimate(blocks, timeUs, timeUs * (1 + penalty * blocks));
  }

  private static boolean usesMulticast(SymmetricKernel kernel) {
    return kernel.multicast() != Multicast.NONE;
  }

  /** The larger of the bytes that a rank sends and receives. */
  private long busBytes(SymmetricKernel kernel, long bytes) {
    if (kernel.isLowLatency()) {
      return (long) (nRanks * bytes * rules.llTraffic);
    }
    if (kernel.collective() != Collective.ALL_REDUCE) {
      return (nRanks - 1) * bytes;
    }
    return usesMulticast(kernel) ? bytes / nRanks + bytes : 2 * bytes * (nRanks - 1) / nRanks;
  }

  /** The factor by which multicast raises the bandwidth of a block. */
  private double gain(SymmetricKernel kernel) {
    if (!usesMulticast(kernel)) {
      return 1;
    }
    if (kernel.isLowLatency()) {
      return rules.llMulticastGain;
    }
    double share = rules.multicastShare * nRanks;
    if (kernel.usesTma()) {
      return rules.tma.multicastShare * share;
    }
    return kernel.collective() == Collective.ALL_REDUCE ? nRanks : share;
  }

  private int maxBlocks(SymmetricKernel kernel) {
    return usesMulticast(kernel) && !kernel.isLowLatency()
        ? (rules.multicastBlocks(facts.sm()) + nRanks - 1) / nRanks
        : rules.maxBlocks;
  }

  private double timeUs(SymmetricKernel kernel, double busBytes, int blocks) {
    double blockBandwidth = rules.blockGiBps(kernel, facts.sm()) * GIBPS;
    double peak = rules.peakGiBps(kernel, facts.sm()) * GIBPS * rules.tma.gain(kernel);
    double bandwidth = smoothMin(blocks * blockBandwidth * gain(kernel), peak, blockBandwidth);
    return rules.latencyUs(kernel, facts.sm()) + smoothPositive(busBytes / bandwidth - 1);
  }

  /** A smooth minimum of two numbers. */
  private static double smoothMin(double x, double ceiling, double softness) {
    return ceiling
        - softness * Math.log1p((Math.exp(ceiling / softness) - 1) * Math.exp(-x / softness));
  }

  /** A smooth maximum of 0 and a number. */
  private static double smoothPositive(double x) {
    return x >= 100 ? x : Math.log1p(Math.exp(x));
  }
}
