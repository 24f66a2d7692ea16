package dev.topo.model.io;

import java.util.Locale;

/** How bad a finding is. */
public enum Severity {
  /** NCCL fails, or uses a value other than the written one. */
  ERROR,
  /** Probably a mistake, usually slower. */
  WARNING,
  /** Good to know. */
  NOTE;

  /** Display name: {@code error}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
