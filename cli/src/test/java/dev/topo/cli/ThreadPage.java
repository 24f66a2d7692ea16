package dev.topo.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The threads of {@code docs/threads.md}, with their commands and what holds of the answers. */
final class ThreadPage {
  private static final Pattern HEADING = Pattern.compile("### (\\d+)\\. (\\S.*)");
  private static final Pattern COMMAND = Pattern.compile(" {4}\\./topo (.+)");
  private static final Pattern CHECK = Pattern.compile("`([^`]+ (?:=|!=|<|<=|>|>=|~) [^`]+)`");
  private static final Pattern MORE = Pattern.compile("(\\d+)\\.(\\d+) (.+)");

  private ThreadPage() {}

  /**
   * A command of a thread.
   *
   * @param call the words behind {@code ./topo}
   * @param checks what holds of its answer, for {@link AnswerCheck}
   */
  record Example(int thread, String call, List<String> checks) {
    @Override
    public String toString() {
      return thread + ": " + call;
    }
  }

  /**
   * A thread.
   *
   * @param title the question
   * @param text all lines below the heading
   */
  record UserThread(int number, String title, String text, List<Example> examples) {}

  /**
   * The threads of a page.
   *
   * @param more checks that the page does not show, each {@code THREAD.COMMAND CHECK}
   */
  static List<UserThread> read(Path page, List<String> more) throws IOException {
    List<UserThread> threads = new ArrayList<>();
    for (String section : Files.readString(page).split("(?m)^(?=##)")) {
      Matcher heading = HEADING.matcher(section.lines().findFirst().orElse(""));
      if (heading.matches()) {
        int number = Integer.parseInt(heading.group(1));
        threads.add(new UserThread(number, heading.group(2), section, examples(number, section)));
      }
    }
    for (String line : more) {
      add(line, threads);
    }
    return threads;
  }

  private static void add(String line, List<UserThread> threads) {
    Matcher parts = MORE.matcher(line);
    if (!parts.matches()) {
      throw new IllegalArgumentException(line + ": expected THREAD.COMMAND CHECK");
    }
    threads
        .get(Integer.parseInt(parts.group(1)) - 1)
        .examples()
        .get(Integer.parseInt(parts.group(2)) - 1)
        .checks()
        .add(parts.group(3));
  }

  /** Checks belong to the command above them. */
  private static List<Example> examples(int number, String section) {
    List<Example> examples = new ArrayList<>();
    for (String line : section.lines().toList()) {
      Matcher command = COMMAND.matcher(line);
      if (command.matches()) {
        examples.add(new Example(number, command.group(1).strip(), new ArrayList<>()));
      } else if (!examples.isEmpty()) {
        CHECK
            .matcher(line)
            .results()
            .forEach(check -> examples.get(examples.size() - 1).checks.add(check.group(1)));
      }
    }
    return examples;
  }
}
