package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.cli.help.HelpPage;
import dev.topo.cli.help.HelpTopic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The help of all commands: complete, in lines of a width, with examples that parse. */
class HelpTest {
  private static final CommandLine LINE = TopoCommand.line();
  private static final String EXAMPLE = "Example: ";

  private static Collection<String> commands() {
    return new TreeSet<>(LINE.getSubcommands().keySet());
  }

  private static CommandSpec spec(String command) {
    return LINE.getSubcommands().get(command).getCommandSpec();
  }

  private static String words(String text) {
    return String.join(" ", text.replace("\\\n", " ").strip().split("\\s+"));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theWholeHelpHasEveryOptionWithItsWholeDescription(String command) {
    String help = words(CliRun.of(command, "--help-all").out());
    for (ArgSpec argument : spec(command).args()) {
      if (argument.hidden()) {
        continue;
      }
      String description = words(String.join(" ", argument.description()));
      assertTrue(help.contains(description), () -> command + " lacks: " + description);
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void linesAreNoLongerThanTheTerminalIsWide(String command) {
    for (int width : new int[] {80, 48}) {
      CliRun run =
          CliRun.withEnvironment(Map.of("COLUMNS", String.valueOf(width)), command, "--help-all");
      List<String> longer =
          run.out()
              .lines()
              .filter(line -> line.length() > width && line.strip().split(" ").length > 4)
              .toList();
      assertEquals(List.of(), longer);
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theShortHelpNamesTheOptionsThatItLeavesOut(String command) {
    String help = CliRun.of(command, "--help").out();
    assertTrue(help.lines().count() <= 75, () -> help.lines().count() + " lines");
    for (OptionSpec option : spec(command).options()) {
      assertTrue(
          option.hidden() || help.contains(option.longestName()),
          () -> command + " " + option.longestName());
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyExampleIsACallThatTheCommandAccepts(String command) {
    List<String> examples =
        Arrays.stream(HelpPage.notes(spec(command)))
            .filter(line -> line.startsWith(EXAMPLE))
            .toList();
    assertFalse(examples.isEmpty(), command + " has no example");
    for (String example : examples) {
      for (String part : example.replaceFirst("source <\\(", "").split("; (?=topo )")) {
        String call = part.substring(part.indexOf("topo ") + "topo ".length());
        List<String> words = CliRun.words(call.split("\\)| [>|] ", 2)[0].replace('"', '\''));
        LINE.parseArgs(words.toArray(String[]::new));
      }
    }
  }

  /**
   * One letter and one name have one meaning, except in run, which has those of nccl-tests; -o is
   * where the output goes, in sweep a folder of results.
   */
  @Test
  void sharedOptionsMeanTheSameInEveryCommand() {
    Map<String, TreeSet<String>> names = new TreeMap<>();
    LINE.getSubcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .filter(spec -> !spec.name().equals("run"))
        .flatMap(spec -> spec.options().stream())
        .forEach(
            option -> {
              for (String letter : List.of("-o", "-v", "-h", "-V", "--strict")) {
                if (List.of(option.names()).contains(letter)) {
                  names.computeIfAbsent(letter, one -> new TreeSet<>()).add(option.longestName());
                }
              }
            });
    assertEquals(
        "{--strict=[--strict], -V=[--version], -h=[--help-all], -o=[--output, --results], -v=[--verbose]}",
        names.toString());
  }

  @Test
  void everyCommandHasAGroupInTheHelpOfAll() {
    String help = CliRun.of("help").out();
    assertEquals(help, CliRun.of("--help").out());
    List<String> missing = new ArrayList<>(commands());
    missing.removeIf(command -> help.contains("\n  " + command + " "));
    assertEquals(List.of(), missing);
  }

  @ParameterizedTest
  @EnumSource(HelpTopic.class)
  void topicsAreExplained(HelpTopic topic) {
    CliRun run = CliRun.of("help", topic.label());
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().lines().count() > 5, run.out());
    assertTrue(run.out().lines().allMatch(line -> line.length() <= 100), run.out());
  }
}
