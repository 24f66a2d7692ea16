package dev.topo.model.diagnostic;

/**
 * Something worth knowing about an input that can be used all the same.
 *
 * @param code stable name of the kind of finding, {@code unknown-attribute}
 * @param severity how bad it is
 * @param location its location
 * @param message what is there and what was expected, one line
 */
public record Diagnostic(String code, Severity severity, SourceLocation location, String message) {
  /** How bad a finding is. */
  public enum Severity {
    /** Good to know. */
    NOTE,
    /** Probably a mistake. */
    WARNING
  }

  @Override
  public String toString() {
    return location + ": " + message;
  }
}
