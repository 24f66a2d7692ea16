package dev.topo.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The path of a prediction in docs/architecture.md names types of the project, each once. */
class ArchitectureDocumentTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Pattern STEP = Pattern.compile("(?m)^\\d+\\. `(\\w+)`");
  private static final int MOST_STEPS = 25;

  @Test
  void pathOfAPredictionPassesFewTypesAndNoneTwice() throws IOException {
    List<String> steps =
        STEP.matcher(Files.readString(ROOT.resolve("docs/architecture.md")))
            .results()
            .map((MatchResult step) -> step.group(1))
            .toList();
    assertTrue(steps.size() > 10 && steps.size() <= MOST_STEPS, steps.size() + " steps");
    assertEquals(steps.size(), new HashSet<>(steps).size(), steps::toString);
    List<Path> files = files();
    for (String step : steps) {
      long ofFile = files.stream().filter(file -> file.endsWith(step + ".java")).count();
      long inFile = files.stream().filter(file -> declares(file, step)).count();
      assertEquals(1, ofFile == 0 ? inFile : ofFile, step);
    }
  }

  private static boolean declares(Path file, String type) {
    Pattern declaration =
        Pattern.compile("  public [a-z ]*(class|record|interface|enum) " + type + "\\b");
    try {
      return declaration.matcher(Files.readString(file)).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve("src/main/java"))
          .filter(Files::isDirectory)
          .flatMap(ArchitectureDocumentTest::files)
          .filter(file -> file.toString().endsWith(".java"))
          .collect(Collectors.toList());
    }
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
