package dev.topo.golden;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A call whose answer is frozen.
 *
 * @param name the command, a point and what is special; the name of the file with the answer
 * @param command the words of the call, some between single quotes
 */
record GoldenCase(String name, String command) {
  /** The cases of a file: one a line, but for comments. */
  static List<GoldenCase> read(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(":", 2))
        .map(parts -> new GoldenCase(parts[0], parts[1].strip()))
        .toList();
  }

  /** The same call of a machine. */
  GoldenCase on(String machine) {
    return new GoldenCase(name, command.replace("{machine}", machine));
  }

  List<String> words() {
    return CliRun.words(command);
  }
}
