package dev.topo.hw.library;

import java.util.ArrayList;
import java.util.List;

/**
 * Configuration file as NCCL reads it: a line is {@code NAME=VALUE}, blanks included; {@code #}
 * begins a comment only at the start of a line; a line without {@code =} is ignored ({@code
 * nccl:src/misc/param.cc#setEnvFile}).
 *
 * @param passedOver numbers of the non-empty lines that set nothing
 */
public record ConfFile(String path, List<Line> lines, List<Integer> passedOver) {
  /** Maximum number of characters of a name or a value; NCCL truncates longer ones. */
  private static final int MAX_LENGTH = 1023;

  public ConfFile {
    lines = List.copyOf(lines);
    passedOver = List.copyOf(passedOver);
  }

  /** Line with a setting. */
  public record Line(int number, String name, String value) {}

  static ConfFile parse(String path, String text) {
    List<Line> lines = new ArrayList<>();
    List<Integer> passedOver = new ArrayList<>();
    String[] textLines = text.split("\n", -1);
    for (int i = 0; i < textLines.length; i++) {
      String line = textLines[i];
      if (line.startsWith("#")) {
        continue;
      }
      int equals = line.indexOf('=');
      if (equals > 0) {
        lines.add(new Line(i + 1, cut(line.substring(0, equals)), cut(line.substring(equals + 1))));
      } else if (!line.isBlank()) {
        passedOver.add(i + 1);
      }
    }
    return new ConfFile(path, lines, passedOver);
  }

  private static String cut(String text) {
    return text.substring(0, Math.min(text.length(), MAX_LENGTH));
  }
}
