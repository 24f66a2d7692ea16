package dev.topo.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No test reads a clock or waits for a time: the same is green on any machine. */
class ClockTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  /** The only class that reads one, to end what hangs; and this one, which names them. */
  private static final Set<String> EXCEPT = Set.of("HangGuard.java", "ClockTest.java");

  private static final Pattern CLOCK =
      Pattern.compile(
          "nanoTime\\(|currentTimeMillis|Instant\\.now|Date(?:Time)?\\.now|java\\.time\\.Clock"
              + "|java\\.util\\.Timer|@Timeout|assertTimeout|Thread\\.sleep|TimeUnit"
              + "|java\\.time\\.Duration|orTimeout\\(|WebDriverWait|waitFor\\([^)]");

  @Test
  void noTestReadsAClock() throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file : files.filter(ClockTest::isTest).sorted().toList()) {
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
          if (CLOCK.matcher(lines.get(i)).find()) {
            found.add(ROOT.relativize(file) + ":" + (i + 1) + ": " + lines.get(i).strip());
          }
        }
      }
    }
    assertEquals(List.of(), found, "expected waits for events, and counts of work");
  }

  private static boolean isTest(Path file) {
    String name = "/" + ROOT.relativize(file);
    return name.contains("/src/test/")
        && !name.contains("/target/")
        && name.endsWith(".java")
        && !EXCEPT.contains(String.valueOf(file.getFileName()));
  }
}
