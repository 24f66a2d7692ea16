package dev.topo.probe.doctor;

import dev.topo.model.diagnostic.Severity;
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
  /** Checks that no part is missing. */
  public Finding {
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(advice, "advice");
  }
}
