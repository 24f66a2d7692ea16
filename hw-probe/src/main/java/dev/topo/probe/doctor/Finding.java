package dev.topo.probe.doctor;

import java.util.Locale;
import java.util.Objects;

/**
 * Something that is wrong on a machine, or that one should know.
 *
 * @param severity how bad it is
 * @param code stable name of the kind of finding, {@code driver-too-old}
 * @param text what it is, one line
 * @param advice what to do, one line; empty if there is nothing to do
 */
public record Finding(Severity severity, String code, String text, String advice) {
  /** How bad a finding is. */
  public enum Severity {
    /** NCCL fails: it is not loaded, or it cannot start. */
    ERROR,
    /** Probably not what is wanted: slower, or another part than one thinks. */
    WARNING,
    /** Good to know. */
    NOTE;

    /** For people: {@code error}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Checks that no part is missing. */
  public Finding {
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(advice, "advice");
  }
}
