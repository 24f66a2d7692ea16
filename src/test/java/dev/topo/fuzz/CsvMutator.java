package dev.topo.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * CSV whose structure is hostile: cells with quotes in quotes, rows and cells that are there again
 * and again, a table in a cell, two tables, and content behind them.
 */
final class CsvMutator implements Mutator {
  private static final int MOST = 20_000;

  @Override
  public byte[] mutate(byte[] seed, Random random) {
    String text = new String(seed, StandardCharsets.UTF_8);
    List<String> lines = new ArrayList<>(text.lines().toList());
    int at = random.nextInt(lines.size());
    String line = lines.get(at);
    int place = random.nextInt(line.length() + 1);
    int copies = 1 + random.nextInt(Math.max(1, MOST / (line.length() + 1)));
    switch (random.nextInt(10)) {
      case 0 -> lines.set(at, insert(line, place, "\"".repeat(1 + random.nextInt(MOST))));
      case 1 -> lines.set(at, insert(line, place, "\"" + text.replace("\"", "\"\"") + "\""));
      case 2 -> lines.set(at, insert(line, place, ",".repeat(1 + random.nextInt(MOST))));
      case 3 -> lines.addAll(at, Collections.nCopies(copies, line));
      case 4 -> lines.addAll(new ArrayList<>(lines));
      case 5 -> lines.addAll(List.of("", "\u0000", "\ufeff" + line, "{}"));
      case 6 -> lines.set(at, line.repeat(copies));
      case 7 -> lines.set(at, insert(line, place, "0;".repeat(1 + random.nextInt(MOST / 2))));
      case 8 -> lines.set(at, insert(line, place, "9".repeat(1 + random.nextInt(MOST))));
      default -> lines.set(at, insert(line, place, "\r".repeat(random.nextInt(MOST))));
    }
    return (String.join("\n", lines) + (random.nextBoolean() ? "\n" : ""))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String insert(String line, int place, String part) {
    return line.substring(0, place) + part + line.substring(place);
  }
}
