package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** The commands that documents name: all are accepted, and those on shipped files run. */
class DocumentCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final CommandLine LINE = TopoCommand.line();

  /** A command in back quotes, or a line of a block. */
  private static final Pattern COMMAND =
      Pattern.compile("(?m)(?:`|^(?:\\$ )?)((?:\\./)?topo [a-z][^`\\n]*?)(?:`|$)");

  private static final Pattern WORD = Pattern.compile("('[^']*'|\"[^\"]*\"|[^\\s'\"])+");

  /** What a shell ends a command with, and what stands for words that a reader chooses. */
  private static final Pattern REST = Pattern.compile("\\s(>|\\||&&|;|#|…|\\.\\.\\.).*");

  private static final Pattern FILE =
      Pattern.compile(".*\\.(xml|txt|csv|json|log|gz|conf|lspci|hosts|edits|network|calibration)");
  private static final List<String> OUTPUTS = List.of("-o", "--out-dir");

  /** Run in other tests, or too long for one: every file of a folder, every placement, a server. */
  private static final Pattern LONG =
      Pattern.compile(".*(topologies/\\*\\.xml|--all-placements|12500|1:1024:2|topo serve).*");

  @TempDir private Path folder;

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
    }
    return documents;
  }

  private static Set<String> commands(Path document) throws IOException {
    Set<String> commands = new LinkedHashSet<>();
    COMMAND
        .matcher(Files.readString(document))
        .results()
        .filter(found -> found.group().startsWith("`") || isCommand(found.group(1)))
        .map(found -> REST.matcher(found.group(1)).replaceFirst(""))
        .forEach(commands::add);
    return commands;
  }

  /** A line of text may begin with the name of the program, too. */
  private static boolean isCommand(String line) {
    return line.startsWith("./") || LINE.getSubcommands().containsKey(words(line).get(0));
  }

  private static List<String> words(String command) {
    return WORD.matcher(command.replaceFirst("^(\\./)?topo ", ""))
        .results()
        .map(MatchResult::group)
        .map(word -> word.replaceAll("['\"]", ""))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyCommandHasOptionsThatExist(Path document) throws IOException {
    List<String> wrong = new ArrayList<>();
    for (String command : commands(document)) {
      try {
        LINE.parseArgs(words(command).toArray(String[]::new));
      } catch (MissingParameterException e) {
        // A document may name a command without its arguments.
      } catch (ParameterException e) {
        wrong.add(command + ": " + e.getMessage());
      }
    }
    assertEquals(List.of(), wrong);
  }

  private static List<String> runnable() throws IOException {
    Set<String> commands = new LinkedHashSet<>(commands(ROOT.resolve("README.md")));
    commands.addAll(commands(ROOT.resolve("docs/questions.md")));
    return commands.stream()
        .filter(command -> command.startsWith("./topo ") && !LONG.matcher(command).matches())
        .filter(command -> hasItsFiles(words(command)))
        .toList();
  }

  /** Whether all files that a command reads are shipped. */
  private static boolean hasItsFiles(List<String> words) {
    boolean isOnFiles = false;
    for (int i = 1; i < words.size(); i++) {
      if (FILE.matcher(words.get(i)).matches() && !OUTPUTS.contains(words.get(i - 1))) {
        isOnFiles = true;
        if (!Files.exists(file(words.get(i)))) {
          return false;
        }
      }
    }
    return isOnFiles;
  }

  private static Path file(String word) {
    return ROOT.resolve(word.replaceFirst("^(@|machine )", "").replaceFirst("\\*\\d+$", ""));
  }

  @ParameterizedTest
  @MethodSource("runnable")
  void everyCommandOnShippedFilesRuns(String command) {
    List<String> words = new ArrayList<>(words(command));
    for (int i = 1; i < words.size(); i++) {
      String word = words.get(i);
      if (OUTPUTS.contains(words.get(i - 1))) {
        words.set(i, folder.resolve(word).toString());
      } else if (Files.exists(file(word))) {
        words.set(
            i,
            word.replaceFirst(
                "(topologies|examples|docs)/", Files.exists(file(word)) ? ROOT + "/$1/" : "$0"));
      }
    }
    CliRun run = CliRun.of(words.toArray(String[]::new));
    assertTrue(run.status() == 0 || run.status() == 1, () -> command + ": " + run.err());
    assertTrue(words.contains("-o") || !run.out().isEmpty(), command);
  }

  @Test
  void commandsAreFoundInTablesAndBlocks() throws IOException {
    Path file = folder.resolve("a.md");
    Files.writeString(
        file,
        "| q | `./topo show a.xml` ([x](y)) |\n```\n$ ./topo draw b.xml > c.svg\n```\n`topo help`\n");
    assertEquals("[./topo show a.xml, ./topo draw b.xml, topo help]", commands(file).toString());
    assertTrue(runnable().size() > 20, runnable().toString());
  }
}
