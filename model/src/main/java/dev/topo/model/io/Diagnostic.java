package dev.topo.model.io;

/**
 * A warning or a note about an input that can be used.
 *
 * @param code stable name of the kind of finding, {@code unknown-attribute}
 * @param severity a warning or a note
 * @param location its location
 * @param message what was found and what was expected, one line
 */
public record Diagnostic(String code, Severity severity, SourceLocation location, String message) {
  @Override
  public String toString() {
    return location + ": " + message;
  }
}
