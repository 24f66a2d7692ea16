package dev.topo.model.operation;

import java.util.Optional;

/**
 * The reduction operators of NCCL, in its order ({@code ncclRedOp_t}, {@code nccl:src/nccl.h.in}),
 * and the one that users make.
 */
public enum ReductionOperator {
  SUM(0, "sum"),
  PROD(1, "prod"),
  MAX(2, "max"),
  MIN(3, "min"),
  AVG(4, "avg"),
  /** The sum of what was multiplied by a number ({@code ncclRedOpCreatePreMulSum}). */
  PRE_MUL_SUM(5, "mulsum");

  private final int number;
  private final String label;

  ReductionOperator(int number, String label) {
    this.number = number;
    this.label = label;
  }

  /** NCCL's number; the first of the user's operators comes after the built-in ones. */
  public int number() {
    return number;
  }

  /** The name that nccl-tests uses. */
  public String label() {
    return label;
  }

  /**
   * True if GPUs multiply or divide besides adding ({@code hostToDevRedOp}, {@code
   * nccl:src/enqueue.cc}).
   */
  public boolean isScaledSum() {
    return this == AVG || this == PRE_MUL_SUM;
  }

  /** The operator with this {@link #label}, in any case. */
  public static Optional<ReductionOperator> ofLabel(String label) {
    return Labels.find(values(), ReductionOperator::label, label);
  }
}
