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
   * The numbers of blocks that a kernel may use.
   *
   * @param fewest the least
   * @param most the largest
   */
  private record Blocks(int fewest, int most) {}

  private Blocks blocks(SymmetricKernel kernel) {
    int most = settings.blocks().orElse(Math.min(maxBlocks(kernel), settings.maxBlocks()));
    int fewest = settings.blocks().orElse(Math.min(settings.minBlocks(), most));
    return rules.evenBlocks && fewest != most
        ? new Blocks(fewest == 1 ? 1 : (fewest + 1) / 2 * 2, most == 1 ? 1 : most / 2 * 2)
        : new Blocks(fewest, most);
  }

  /**
   * The estimate of a kernel for the calls of a launch together; empty where it uses TMA and they
   * are too small.
   */
  Optional<KernelEstimate> estimate(SymmetricKernel kernel, KernelLaunch launch) {
    long largest = launch.countBytes();
    int fewest = blocks(kernel).fewest();
    int most = blocks(kernel).most();
    if (kernel.usesTma()) {
      if (copiesInBulk(kernel, largest, fewest)) {
        while (most > fewest && !copiesInBulk(kernel, largest, most)) {
          most -= most == 2 ? 1 : 2;
        }
      } else if (!settings.kernels().isStated()) {
        return Optional.empty();
      }
    }
    Blocks range = new Blocks(fewest, most);
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

  /** The least bytes of a call for which a kernel with TMA uses its fewest blocks. */
  long leastBytes(SymmetricKernel kernel) {
    return rules.tma.leastBytes(kernel, nRanks, blocks(kernel).fewest());
  }

  private boolean copiesInBulk(SymmetricKernel kernel, long bytes, int blocks) {
    return bytes >= rules.tma.leastBytes(kernel, nRanks, blocks);
  }

  /** The fewest blocks that are about as fast as the most. */
  private KernelEstimate estimate(Blocks range, IntToDoubleFunction timesUs, float penalty) {
    float time = (float) timesUs.applyAsDouble(range.most());
    int step = rules.evenBlocks ? 2 : 1;
    for (int blocks = range.fewest(); blocks < range.most(); blocks += blocks == 1 ? 1 : step) {
      double timeUs = timesUs.applyAsDouble(blocks);
      if (timeUs <= rules.tolerance * time) {
        return estimate(blocks, (float) timeUs, penalty);
      }
    }
    return estimate(range.most(), time, penalty);
  }

  private static KernelEstimate estimate(int blocks, float timeUs, float penalty) {
    return new KernelEstimate(blocks, timeUs, timeUs * (1 + penalty * blocks));
  }

  private static boolean usesMulticast(SymmetricKernel kernel) {
    return kernel.multicast() != Multicast.NONE;
  }

  /** The bytes that a rank sends or receives, whichever is more. */
  private long busBytes(SymmetricKernel kernel, long bytes) {
    if (kernel.isLowLatency()) {
      return (long) (nRanks * bytes * rules.llTraffic);
    }
    if (kernel.collective() != Collective.ALL_REDUCE) {
      return (nRanks - 1) * bytes;
    }
    return usesMulticast(kernel) ? bytes / nRanks + bytes : 2 * bytes * (nRanks - 1) / nRanks;
  }

  /** The multiple of its bandwidth that a block reaches. */
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
