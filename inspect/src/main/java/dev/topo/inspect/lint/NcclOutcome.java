package dev.topo.inspect.lint;

import java.util.Locale;

/** The treatment by NCCL of the part of a file that a rule concerns. */
public enum NcclOutcome {
  /** NCCL ends with an error, or crashes. */
  FAILS,
  /** NCCL ignores it silently. */
  IGNORES,
  /** NCCL silently uses another value than the one written. */
  MISREADS,
  /** NCCL uses it, and the result is slow or not what the machine could do. */
  SLOW,
  /** NCCL uses it. */
  ACCEPTS;

  /** Display name: {@code fails}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
