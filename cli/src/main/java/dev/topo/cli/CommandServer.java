package dev.topo.cli;

import dev.topo.cli.terminal.Streams;
import dev.topo.simulator.evaluate.EarlierAnswers;
import dev.topo.visualizer.view.LineRequest;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Runs the command lines that a program requests, one line of JSON each, in order, and replies with
 * one line each. Machines are read and jobs connected once for all of them. Memory is bounded: a
 * line is read after the reply to the one before is written, and what is kept has a limit.
 */
final class CommandServer {
  /** Longest request in bytes; a command line of the operating system is not much longer. */
  static final int MOST_BYTES = 1 << 20;

  /** Words that would read the requests as a file. */
  private static final Pattern STANDARD_INPUT =
      Pattern.compile("(.*=)?@?-(\\*\\d+)?|.*/(dev/(stdin|fd/|tty)|proc/[^/]+/fd/).*");

  private final Streams streams;
  private final Map<String, String> environment;
  private final EarlierAnswers earlier = EarlierAnswers.kept();

  /** A server that writes its replies to the data stream. */
  CommandServer(Streams streams, Map<String, String> environment) {
    this.streams = streams;
    this.environment = environment;
  }

  /**
   * Replies to requests until the input ends.
   *
   * @throws IOException if the input cannot be read
   */
  void serve(InputStream input) throws IOException {
    InputStream in = new BufferedInputStream(input);
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    long length = 0;
    for (int next = in.read(); next >= 0 || length > 0; next = in.read()) {
      if (next >= 0 && next != '\n') {
        if (length++ < MOST_BYTES) {
          line.write(next);
        }
        continue;
      }
      if (length > 0) {
        streams.out().print(reply(line.toString(StandardCharsets.UTF_8), length));
        streams.out().flush();
      }
      line.reset();
      length = 0;
    }
  }

  private String reply(String line, long length) {
    if (length > MOST_BYTES) {
      return LineRequest.refusal(
          ExitStatus.USAGE,
          "a line of %s bytes: expected at most %s".formatted(length, MOST_BYTES));
    }
    try {
      return run(LineRequest.parse(line));
    } catch (IllegalArgumentException e) {
      return LineRequest.refusal(ExitStatus.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private String run(LineRequest request) {
    String[] args = request.args().toArray(String[]::new);
    for (String word : args) {
      if (STANDARD_INPUT.matcher(word).matches() || args[0].equals("serve")) {
        return request.reply(
            ExitStatus.USAGE, "", word + ": standard input and output are those of the requests");
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        TopoCommand.execute(
            new Streams(stream(out), stream(err)),
            Objects.requireNonNullElse(request.env(), environment),
            earlier,
            args);
    return request.reply(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, false, StandardCharsets.UTF_8);
  }
}
