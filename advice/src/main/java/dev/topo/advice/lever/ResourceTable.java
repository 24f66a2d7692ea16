package dev.topo.advice.lever;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads the tables of this package: a row a line, blanks between cells, # before comments. */
final class ResourceTable {
  private ResourceTable() {}

  /** The cells of each row. */
  static List<String[]> rows(String file) {
    try (InputStream in = ResourceTable.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.strip().split(" +"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
