package dev.topo.fuzz;

import dev.topo.cli.TopoCommand;
import dev.topo.cli.terminal.Streams;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a call of the command did. The only class of this package that knows how a command is
 * called.
 *
 * @param status exit status
 * @param out stdout
 * @param err stderr
 * @param thrown what the command did not catch
 */
record Call(int status, String out, String err, Optional<Throwable> thrown) {
  /** Runs a command line without a variable of the environment. */
  static Call of(List<String> words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Streams streams =
        new Streams(
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8));
    int status = -1;
    Optional<Throwable> thrown = Optional.empty();
    try {
      status = TopoCommand.execute(streams, Map.of(), words.toArray(String[]::new));
    } catch (RuntimeException | Error e) {
      thrown = Optional.of(e);
    }
    streams.flush();
    return new Call(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8), thrown);
  }
}
