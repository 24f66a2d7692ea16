package dev.topo.model.diagnostic;

import java.util.Locale;

/** How bad a finding is. */
public enum Severity {
  /** NCCL fails, or takes something else than what is written. */
  ERROR,
  /** Probably not what is wanted, most often slower. */
  WARNING,
  /** Good to know. */
  NOTE;

  /** Display name: {@code error}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
