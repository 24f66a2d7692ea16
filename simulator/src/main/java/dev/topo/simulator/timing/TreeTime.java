package dev.topo.simulator.timing;

import dev.topo.simulator.timing.CallShape.Contention;
import dev.topo.simulator.timing.StepCosts.PrimitiveCosts;
import dev.topo.simulator.timing.TimeEstimate.KernelTime;
import dev.topo.simulator.timing.TimeEstimate.Overlap;
import java.util.List;

/**
 * Time of AllReduce on trees: chunks go up and down, and the warps of a channel are divided between
 * the two directions ({@code runTreeSplit} in {@code nccl:src/device/all_reduce.h}). A leaf starts
 * the next call when this one ends there, so that each call pays for all hops up and down.
 */
final class TreeTime {
  /**
   * The same as {@link Overlap#DRIFTED} for LL128, where the halves of a channel delay each other.
   */
  private static final double LL128_SHARPNESS = 2.5;

  private TreeTime() {}

  static KernelTime of(CallShape shape, StepCosts costs, double splitFactor) {
    Contention together = shape.route().together();
    boolean host = together.throughHost();
    double bytes = shape.shareBytes();
    double chunks = Math.max(1, Math.ceil(bytes / shape.chunkBytes()));
    double first = Math.min(bytes, shape.chunkBytes());
    double sliceUs = costs.slicesUs(1);
    double chunkUs = sliceUs + (costs.drifts() ? 0 : costs.treeStepUs());
    double channelUsPerByte =
        costs.receiving(together)
            * (slowestRank(shape, costs, host, splitFactor) + (first > 0 ? chunkUs / first : 0));
    double linkUsPerByte = costs.linkUsPerByte(together);
    double usPerByte =
        Overlap.beside(
            channelUsPerByte, linkUsPerByte, costs.drifts() ? Overlap.DRIFTED : LL128_SHARPNESS);
    double stepUs = costs.treeHopUs(shape);
    int hops = shape.route().stages().size();
    double fillUs = costs.isSliced() ? fillUs(shape, costs, first) : 0;
    double steady = costs.isSliced() ? bytes - first : bytes;
    return new KernelTime(
        (hops + costs.roundsInStep(0, chunks - 1, 1)) * stepUs,
        fillUs,
        costs.atFullCost(steady, shape.threads() / 2, hops) * usPerByte,
        channelUsPerByte * bytes,
        linkUsPerByte * bytes);
  }

  /**
   * Time per byte of the slowest rank. One thread block of a leaf sends up and receives from above;
   * that of a rank in the middle reduces upwards and copies downwards.
   */
  private static double slowestRank(
      CallShape shape, StepCosts costs, boolean host, double splitFactor) {
    PrimitiveCosts primitives = costs.primitives(shape);
    double leaf = splitFactor * (costs.storeUsPerByte(primitives.send(), host) + primitives.recv());
    double root = costs.storeUsPerByte(primitives.recvReduceCopySend(), host);
    double middle = 0;
    if (shape.nRanks() > 2) {
      double both = splitFactor * (primitives.recvReduceSend() + primitives.recvCopySend());
      middle = host ? Math.max(both, primitives.hostStore()) : both;
    }
    return Math.max(Math.max(leaf, root), middle);
  }

  /** Time of the first chunk over all hops. */
  private static double fillUs(CallShape shape, StepCosts costs, double bytes) {
    PrimitiveCosts primitives = costs.primitives(shape);
    List<Contention> stages = shape.route().stages();
    int up = stages.size() / 2;
    double fill = bytes * primitives.recv();
    for (int s = 0; s < stages.size(); s++) {
      double primitive;
      if (s < up) {
        primitive = s == 0 ? primitives.send() : primitives.recvReduceSend();
      } else {
        primitive = s == up ? primitives.recvReduceCopySend() : primitives.recvCopySend();
      }
      Contention hops = stages.get(s);
      fill +=
          Overlap.beside(
              bytes * costs.storeUsPerByte(primitive, hops.throughHost()),
              bytes * costs.linkUsPerByte(hops),
              Overlap.DRIFTED);
    }
    return fill;
  }
}
