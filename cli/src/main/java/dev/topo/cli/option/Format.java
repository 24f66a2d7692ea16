package dev.topo.cli.option;

import java.util.List;

/** The format of an answer: a constant of the values of {@code --format}. */
public interface Format {
  /** The name of the format. */
  String name();

  /** Extension of files in this format, with its dot. */
  default String extension() {
    return isText() ? ".txt" : "." + name();
  }

  /** How the names of files in this format end, with the dot; empty if only the option picks it. */
  default List<String> endings() {
    return extension().equals(".html") ? List.of(".html", ".htm") : List.of(extension());
  }

  /** Whether it is text: several outputs may follow each other. */
  default boolean isText() {
    return name().equals("text");
  }

  /** Whether no program opens a file of it under another ending, as that of a picture. */
  default boolean needsItsEnding() {
    return false;
  }
}
