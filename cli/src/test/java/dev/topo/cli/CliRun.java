package dev.topo.cli;

import dev.topo.cli.terminal.Streams;
import dev.topo.search.fixture.SharedGraphs;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a call of the command did.
 *
 * @param status exit status
 * @param out what it wrote to stdout
 * @param err what it wrote to stderr
 */
record CliRun(int status, String out, String err) {
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  /** The words of a call, of which some may be between single quotes. */
  static List<String> words(String call) {
    return WORD.matcher(call)
        .results()
        .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
        .toList();
  }

  static CliRun of(String... args) {
    return withEnvironment(Map.of(), args);
  }

  static CliRun withEnvironment(Map<String, String> environment, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Streams streams =
        new Streams(
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8));
    int status = TopoCommand.execute(streams, environment, SharedGraphs.GRAPHS, args);
    streams.flush();
    return new CliRun(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
