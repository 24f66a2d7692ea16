package dev.topo.search.rules;

import dev.topo.model.operation.Collective;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * From which size on a ring with Simple starts more slowly, and by how much ({@code
 * ncclTopoGetAlgoTime}, {@code nccl:src/graph/tuning.cc}; {@code ncclTuningRingModelSim}, {@code
 * nccl:src/tuning/ring.cc}, from 2.31 on). Between nodes it does so for AllReduce; on one node of
 * NVLink from a compute capability on.
 */
public final class RingPlateau extends Rules {
  /** Bytes for each channel and rank from which a ring starts more slowly. */
  public final int bytes = table.integer("tuning.ring-plateau-bytes");

  private final BySm<Double> factor = table.numbersBySm("tuning.ring-plateau-factor");
  private final int oneNodeSm = table.limit("tuning.ring-plateau-one-node-sm");
  private final Set<Collective> onOneNode = collectives();

  /**
   * By how much the factor on one node falls with size, and by which part of its excess each step
   * of the ring comes nearer to it; 0 where it is the same for all.
   */
  private final float fall = table.single("tuning.ring-plateau-fall");

  /** Where it begins to fall, in bytes for each channel and rank, and over how many it does. */
  private final int fallFromBytes = table.integer("tuning.ring-plateau-fall-from-bytes");

  private final int fallOverBytes = table.integer("tuning.ring-plateau-fall-over-bytes");

  RingPlateau(RuleTable table) {
    super(table);
  }

  private Set<Collective> collectives() {
    return table.words("tuning.ring-plateau-one-node").stream()
        .map(label -> Collective.ofLabel(label).orElseThrow())
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Collective.class)));
  }

  /** Sizes for each channel and rank at which the time of a ring leaves its line. */
  public List<Integer> bends() {
    return fall == 0
        ? List.of(bytes)
        : List.of(bytes, fallFromBytes, fallFromBytes + fallOverBytes);
  }

  /** The factor of the latency of a ring between nodes. */
  public double betweenNodes(Collective collective, int minSm, long shareBytes) {
    return collective == Collective.ALL_REDUCE && shareBytes >= bytes ? most(minSm) : 1;
  }

  /** NCCL has it in single precision where it falls. */
  private double most(int minSm) {
    double most = factor.at(minSm);
    return fall == 0 ? most : (float) most;
  }

  /**
   * The factor of the latency of a ring of NVLinks on one node.
   *
   * @param steps of the ring
   * @param shareBytes size for each channel and rank
   */
  public double onOneNode(Collective collective, int minSm, int steps, long shareBytes) {
    if (minSm < oneNodeSm || !onOneNode.contains(collective) || shareBytes < bytes) {
      return 1;
    }
    if (fall == 0) {
      return most(minSm);
    }
    float excess = (float) most(minSm) - 1;
    float ofSteps = 1 - (float) Math.pow(fall / excess, Math.max(0, steps - 1));
    float excessAtSize = excess;
    if (shareBytes > fallFromBytes) {
      excessAtSize -= fall * Math.min(1, (float) (shareBytes - fallFromBytes) / fallOverBytes);
    }
    return 1 + ofSteps * excessAtSize;
  }
}
