package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Tables of a document that are made by a test: each stands between {@code <!-- table: NAME -->}
 * and {@code <!-- end -->}.
 */
final class DocumentTables {
  private static final String BEGIN = "<!-- table: ";
  private static final String END = "<!-- end -->\n";

  private DocumentTables() {}

  /** Fails if a table is not as given; with {@code -Dgolden.update=true} it is written first. */
  static void check(String document, Map<String, String> tables) throws IOException {
    Path file = Path.of(System.getProperty("topo.root")).resolve(document);
    String current = Files.readString(file);
    for (Map.Entry<String, String> table : tables.entrySet()) {
      current = replaced(current, table.getKey(), table.getValue());
    }
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, current);
    }
    assertEquals(current, Files.readString(file), "-Dgolden.update=true writes the tables");
  }

  private static String replaced(String document, String table, String content) {
    String begin = BEGIN + table + " -->\n";
    int from = document.indexOf(begin) + begin.length();
    int to = document.indexOf(END, from);
    if (from < begin.length() || to < 0) {
      throw new IllegalStateException("the document has no table " + table);
    }
    return document.substring(0, from) + content + document.substring(to);
  }
}
