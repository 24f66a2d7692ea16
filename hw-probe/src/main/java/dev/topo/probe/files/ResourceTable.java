package dev.topo.probe.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A table in a resource file: words separated by blanks, the first one is the kind of the row. */
public final class ResourceTable {
  private ResourceTable() {}

  /**
   * The rows of a kind, without the word of the kind.
   *
   * @param owner the class beside which the file is
   */
  public static List<List<String>> rows(Class<?> owner, String file, String kind) {
    try (InputStream in = owner.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is missing beside " + owner.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith(kind + " "))
          .map(line -> Arrays.asList(line.split(" +", -1)))
          .map(words -> words.subList(1, words.size()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
