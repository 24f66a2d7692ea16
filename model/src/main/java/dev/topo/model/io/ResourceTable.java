package dev.topo.model.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Reads the tables of the project, which are resource files beside the classes that use them. */
public final class ResourceTable {
  private ResourceTable() {}

  /** The content of a file beside {@code owner}. */
  public static String text(Class<?> owner, String file) {
    try (InputStream in = owner.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is missing beside " + owner.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The lines of a file, without comments, which begin with {@code #}, and empty lines. */
  public static List<String> lines(Class<?> owner, String file) {
    return text(owner, file)
        .lines()
        .map(line -> line.replaceFirst("#.*", "").strip())
        .filter(line -> !line.isEmpty())
        .toList();
  }

  /** The words after {@code kind} of each row that begins with this word. */
  public static List<List<String>> rows(Class<?> owner, String file, String kind) {
    return lines(owner, file).stream()
        .filter(line -> line.startsWith(kind + " "))
        .map(line -> Arrays.asList(line.split(" +", -1)))
        .map(words -> words.subList(1, words.size()))
        .toList();
  }
}
