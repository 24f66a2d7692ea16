package dev.topo.inspect.lint.finding;

import java.util.Locale;

/** What NCCL does with a part of a file that a rule speaks of. */
public enum NcclOutcome {
  /** It ends with an error, or crashes. */
  FAILS,
  /** It passes over it without a word. */
  IGNORES,
  /** It takes something else for what is written, without a word. */
  MISREADS,
  /** It takes it as it is, and the result is slow or not what the machine could do. */
  SLOW,
  /** It takes it as it is. */
  ACCEPTS;

  /** For people: {@code fails}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
