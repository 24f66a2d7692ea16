package dev.topo.fuzz;

import java.util.List;

/**
 * A format of input, with what reads it.
 *
 * @param name in messages
 * @param fileName of the damaged input
 * @param mutator damages a seed
 * @param readings where inputs of the format are read; each case takes one of them
 */
record Format(String name, String fileName, Mutator mutator, List<Reading> readings) {
  /** The word of a command line that is the path of the input. */
  static final String FILE = "{file}";

  /** The word of a command line that is the text of the input. */
  static final String TEXT = "{text}";

  Format {
    readings = List.copyOf(readings);
  }

  @Override
  public String toString() {
    return name;
  }

  /**
   * Inputs and the command lines that read them.
   *
   * @param seeds correct inputs, or nearly
   * @param commands command lines with {@link #FILE} or {@link #TEXT}
   */
  record Reading(List<byte[]> seeds, List<List<String>> commands) {
    Reading {
      seeds = List.copyOf(seeds);
      commands = List.copyOf(commands);
    }
  }
}
