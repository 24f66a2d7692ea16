package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code docs/threads.md} says that a command answers to a question of users, it answers. */
class UserThreadsTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final int THREADS = 14;
  private static final Pattern ROW = Pattern.compile("\\| (\\d+)\\. .*");
  private static final Pattern EXAMPLE = Pattern.compile("`\\./topo ([^`]+)` → `([^`]+)`");

  private record Example(int thread, String arguments, String says) {}

  private static List<Example> examples() throws IOException {
    List<Example> examples = new ArrayList<>();
    for (String line : Files.readAllLines(ROOT.resolve("docs/threads.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        EXAMPLE
            .matcher(line)
            .results()
            .forEach(
                example ->
                    examples.add(
                        new Example(
                            Integer.parseInt(row.group(1)), example.group(1), example.group(2))));
      }
    }
    return examples;
  }

  @ParameterizedTest
  @MethodSource("examples")
  void theCommandSaysIt(Example example) {
    String[] words = example.arguments.split(" ");
    for (int i = 0; i < words.length; i++) {
      Path file = ROOT.resolve(words[i]);
      words[i] = Files.isRegularFile(file) ? file.toString() : words[i];
    }
    CliRun run = CliRun.of(words);
    assertTrue(run.status() <= 1, run.err());
    assertTrue(
        (run.err() + run.out()).contains(example.says),
        () -> example + " says " + run.err() + run.out());
  }

  @Test
  void everyThreadHasAnExample() throws IOException {
    Set<Integer> threads = new TreeSet<>();
    examples().forEach(example -> threads.add(example.thread));
    assertEquals(THREADS, threads.size(), threads.toString());
    System.out.println(
        String.format(
            "threads of users %d/%d (%d examples)", threads.size(), THREADS, examples().size()));
  }
}
