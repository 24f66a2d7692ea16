package dev.topo.fuzz;

import dev.topo.cli.TopoCommand;
import dev.topo.cli.stream.Streams;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What a call of the command did. The only class of this package that knows how a command is
 * called.
 *
 * @param status exit status
 * @param out stdout
 * @param err stderr
 * @param thrown what the command did not catch, or {@link NotDone}
 */
record Call(int status, String out, String err, Optional<Throwable> thrown) {
  /** A call that did not end in time; its stack trace is what it was doing. */
  static final class NotDone extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotDone(Duration limit, StackTraceElement[] trace) {
      super("not done after " + limit.toSeconds() + " s");
      setStackTrace(trace);
    }
  }

  /** Runs a command line without a variable of the environment. */
  static Call of(List<String> words, Duration limit) {
    AtomicReference<Optional<Call>> call = new AtomicReference<>(Optional.empty());
    Thread thread = new Thread(() -> call.set(Optional.of(run(words))), "call");
    thread.setDaemon(true);
    thread.start();
    try {
      thread.join(limit.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    StackTraceElement[] trace = thread.getStackTrace();
    return call.get().orElseGet(() -> new Call(-1, "", "", Optional.of(new NotDone(limit, trace))));
  }

  /** Whether the call did not end in time: it still takes a processor. */
  boolean isNotDone() {
    return thrown.filter(NotDone.class::isInstance).isPresent();
  }

  /** Runs a command line in this thread. */
  static Call run(List<String> words) {
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
