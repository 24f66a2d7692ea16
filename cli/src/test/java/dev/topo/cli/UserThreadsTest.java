package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.ThreadPage.Example;
import dev.topo.cli.ThreadPage.UserThread;
import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the commands of {@code docs/threads.md} and checks the values that the page states. */
class UserThreadsTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final int THREADS = 71;

  private static List<UserThread> threads() throws IOException {
    Path more = ROOT.resolve("cli/src/test/resources/dev/topo/cli/thread-checks.txt");
    List<String> checks =
        Files.readAllLines(more).stream().filter(line -> !line.startsWith("#")).toList();
    return ThreadPage.read(ROOT.resolve("docs/threads.md"), checks);
  }

  private static List<UserThread> answered() throws IOException {
    return threads().stream().filter(thread -> !thread.examples().isEmpty()).toList();
  }

  @ParameterizedTest
  @MethodSource("answered")
  void theCommandsAnswerIt(UserThread thread) {
    List<CliRun> answers = new ArrayList<>();
    for (Example example : thread.examples()) {
      assertFalse(example.checks().isEmpty(), example + ": nothing is checked");
      CliRun answer = run(example);
      // On a host without a GPU topo doctor answers with status 4.
      boolean isAnswer =
          answer.status() <= 1 || (answer.status() == 4 && example.call().startsWith("doctor "));
      assertTrue(isAnswer, () -> example + " says " + answer.err());
      answers.add(answer);
      AnswerCheck check = new AnswerCheck(answers);
      for (String relation : example.checks()) {
        assertEquals("", check.fault(relation), example::toString);
      }
    }
  }

  private static CliRun run(Example example) {
    List<String> words = new ArrayList<>();
    for (String word : CliRun.words(example.call())) {
      boolean isList = word.startsWith("@");
      Path file = ROOT.resolve(isList ? word.substring(1) : word);
      boolean isPath = word.contains("/") && Files.exists(file);
      words.add(isPath ? (isList ? "@" : "") + file : word);
    }
    if (example.checks().stream().noneMatch(AnswerCheck::isOfText)) {
      words.addAll(List.of("--format", "json"));
    }
    return CliRun.of(words.toArray(String[]::new));
  }

  @Test
  void everyThreadHasAnAnswerOrAReasonWhyNot() throws IOException {
    List<UserThread> threads = threads();
    assertEquals(
        IntStream.rangeClosed(1, THREADS).boxed().toList(),
        threads.stream().map(UserThread::number).toList());
    for (UserThread thread : threads) {
      boolean saysWhyNot = thread.text().contains("No answer:");
      assertTrue(saysWhyNot || !thread.examples().isEmpty(), thread.title());
    }
    long partly = threads.stream().filter(t -> t.text().contains("Not answered:")).count();
    System.out.printf(
        "threads of users %d/%d answered, %d of them in part (%d commands, %d values)%n",
        answered().size(),
        THREADS,
        partly,
        threads.stream().mapToInt(thread -> thread.examples().size()).sum(),
        threads.stream()
            .flatMap(thread -> thread.examples().stream())
            .mapToInt(example -> example.checks().size())
            .sum());
  }
}
