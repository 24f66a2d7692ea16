package dev.topo.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Wrong command lines have the messages that are frozen. Many have two wrong options, so that the
 * order of the checks is frozen as well.
 */
class UsageErrorsTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path FROZEN = ROOT.resolve("src/test/resources/golden/usage-errors.txt");
  private static final String MESSAGE = "  ";
  private static final String MACHINES = "topologies/";
  private static final int USAGE = 2;

  /** The message to a command line whose machines are in the project. */
  private static List<String> messages(String command) {
    CliRun run =
        CliRun.of(
            CliRun.words(command).stream()
                .map(word -> word.replace(MACHINES, ROOT + "/" + MACHINES))
                .toArray(String[]::new));
    return run.status() == USAGE && run.out().isEmpty()
        ? run.err().replace(ROOT + "/", "").lines().map(MESSAGE::concat).toList()
        : List.of("exit status " + run.status());
  }

  @Test
  void messagesOfWrongCommandLinesAreFrozen() throws IOException {
    List<String> lines = Files.readAllLines(FROZEN);
    List<String> differences = new ArrayList<>();
    List<String> now = new ArrayList<>(lines.subList(0, 1));
    int at = 1;
    while (at < lines.size()) {
      int end = at + 1;
      while (end < lines.size() && lines.get(end).startsWith(MESSAGE)) {
        end++;
      }
      List<String> expected = lines.subList(at + 1, end);
      List<String> found = messages(lines.get(at));
      if (!found.equals(expected)) {
        differences.add(lines.get(at) + ": " + found);
      }
      if (found.stream().allMatch(line -> line.startsWith(MESSAGE))) {
        now.add(lines.get(at));
        now.addAll(found);
      }
      at = end;
    }
    if (Boolean.getBoolean("golden.update")) {
      Files.write(FROZEN, now);
    } else {
      assertEquals(List.of(), differences, "-Dgolden.update=true accepts them");
    }
  }
}
