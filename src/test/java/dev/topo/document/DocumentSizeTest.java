package dev.topo.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The documents stay short enough to be read: words as {@code wc -w} counts them. */
class DocumentSizeTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Set<String> OTHERS = Set.of("target", ".git", "node_modules");

  private static List<Path> documents() throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return OTHERS.contains(String.valueOf(folder.getFileName()))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".md")) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }

  private static int words(Path file) {
    try {
      String text = Files.readString(file).strip();
      return text.isEmpty() ? 0 : text.split("\\s+").length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void allTogetherHaveFortyFiveThousandWordsAtMost() throws IOException {
    int words = documents().stream().mapToInt(DocumentSizeTest::words).sum();
    assertTrue(words <= 45_000, words + " words");
    int readme = words(ROOT.resolve("README.md"));
    assertTrue(readme <= 700, readme + " words in README.md");
  }

  @Test
  void thereAreTwentyEightPagesAtMost() throws IOException {
    Path docs = ROOT.resolve("docs");
    long pages = documents().stream().filter(file -> file.startsWith(docs)).count();
    assertTrue(pages <= 28, pages + " pages");
  }

  @Test
  void theReadmeOfAModuleHasFortyLinesAtMost() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (String module :
        List.of("model", "search", "inspect", "simulator", "hw-probe", "visualizer", "cli")) {
      int lines = Files.readAllLines(ROOT.resolve(module).resolve("README.md")).size();
      if (lines > 40) {
        tooLong.add(module + ": " + lines + " lines");
      }
    }
    assertEquals(List.of(), tooLong);
  }
}
