package dev.topo.cli;

import dev.topo.cli.output.Streams;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a call of the command did.
 *
 * @param status exit status
 * @param out what it wrote to stdout
 * @param err what it wrote to stderr
 */
record CliRun(int status, String out, String err) {
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
    int status = TopoCommand.execute(streams, environment, args);
    streams.flush();
    return new CliRun(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
