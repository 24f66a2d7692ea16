package dev.topo.hw.library;

import java.util.ArrayList;
import java.util.List;

/**
 * A configuration file of NCCL, as NCCL reads it: a line is {@code NAME=VALUE} with nothing taken
 * off either side, {@code #} makes a comment only at the very beginning of a line, and a line
 * without {@code =} is ignored ({@code nccl:src/misc/param.cc#setEnvFile}).
 *
 * @param passedOver numbers of the non-empty lines that set nothing
 */
public record ConfFile(String path, List<Line> lines, List<Integer> passedOver) {
  /** Most characters of a name or a value; NCCL drops what is beyond. */
  private static final int MAX_LENGTH = 1023;

  public ConfFile {
    lines = List.copyOf(lines);
    passedOver = List.copyOf(passedOver);
  }

  /** A line that sets something. */
  public record Line(int number, String name, String value) {}

  public static ConfFile parse(String path, String text) {
    List<Line> lines = new ArrayList<>();
    List<Integer> passedOver = new ArrayList<>();
    String[] all = text.split("\n", -1);
    for (int i = 0; i < all.length; i++) {
      String line = all[i];
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
