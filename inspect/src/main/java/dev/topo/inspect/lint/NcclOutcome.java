package dev.topo.inspect.lint;

import dev.topo.model.Labels;

/** Reactions of NCCL to the part of a file that a rule concerns. */
public enum NcclOutcome {
  /** NCCL fails with an error, or crashes. */
  FAILS,
  /** NCCL ignores the part silently. */
  IGNORES,
  /** NCCL silently uses another value than the one written. */
  MISREADS,
  /** NCCL uses the part, and the result is slow or below what the machine could do. */
  SLOW,
  /** NCCL uses the part. */
  ACCEPTS;

  /** Display name: {@code fails}. */
  public String label() {
    return Labels.of(this);
  }
}
