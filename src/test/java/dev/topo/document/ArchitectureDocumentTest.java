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
    List<String> types = types();
    for (String step : steps) {
      assertEquals(1, types.stream().filter(step::equals).count(), step);
    }
  }

  private static List<String> types() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve("src/main/java"))
          .filter(Files::isDirectory)
          .flatMap(ArchitectureDocumentTest::files)
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".java"))
          .map(name -> name.substring(0, name.length() - ".java".length()))
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
