package dev.topo.model.io;

/**
 * A place in an input file.
 *
 * @param file name of the file as the user gave it
 * @param line line, from 1; 0 where the whole file is meant
 * @param column column, from 1; 0 where the whole file is meant
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
