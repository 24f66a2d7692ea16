package dev.topo.model.io;

import java.util.Locale;

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

  /**
   * A location in an input file.
   *
   * @param file name of the file as the user gave it
   * @param line line, from 1; 0 for the whole file
   * @param column column, from 1; 0 for the whole file
   */
  public record SourceLocation(String file, int line, int column) {
    public static SourceLocation of(String file) {
      return new SourceLocation(file, 0, 0);
    }

    /** {@code file:line:column}, or the file alone. */
    @Override
    public String toString() {
      return line == 0 ? file : file + ":" + line + ":" + column;
    }
  }

  /** The severity of a finding. */
  public enum Severity {
    /** NCCL fails, or uses a value other than the given one. */
    ERROR,
    /** Probably a mistake, usually slower. */
    WARNING,
    /** Information only. */
    NOTE;

    /** Display name: {@code error}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
