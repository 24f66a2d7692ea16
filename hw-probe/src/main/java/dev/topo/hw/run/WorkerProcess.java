package dev.topo.hw.run;

import dev.topo.hw.run.RunFailure.Reason;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The parent's side of a worker. The last event is always {@link RunEvent.Ended} or {@link
 * RunEvent.Failed}, sent after the process has ended. Single use.
 */
public final class WorkerProcess {
  /** Time beyond the limit for a worker to end a collective and report it, in ms. */
  private static final long GRACE_MS = 5_000;

  private static final long POLL_MS = 100;
  private static final long MS_PER_S = 1_000;

  /** Fraction of the time limit after which a silent worker counts as stopped. */
  private static final double SILENCE = 0.9;

  private static final int SIGNAL_BASE = 128;

  private final WorkerCommand command;
  private final RunRequest request;
  private final ProcessPlacement placement;
  private final WorkerTime time;
  private final CrashReport crash = new CrashReport();

  /** Lines of standard error; an empty entry signals another change. */
  private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();

  private String step = "starting";
  private boolean started;
  private long lastSignNs;
  private long stepSinceNs;
  private volatile boolean isReadToTheEnd;
  private volatile boolean isCancelled;

  public WorkerProcess(WorkerCommand command, RunRequest request, ProcessPlacement placement) {
    this(command, request, placement, WorkerTime.SYSTEM);
  }

  WorkerProcess(
      WorkerCommand command, RunRequest request, ProcessPlacement placement, WorkerTime time) {
    this.time = time;
    this.command = command;
    this.request = request;
    this.placement = placement;
  }

  /**
   * Starts the worker and receives its events until it has ended.
   *
   * @param events receives its events, on the calling thread
   * @param log receives NCCL's output by lines, on another thread
   * @return whether it succeeded
   */
  public boolean run(Consumer<RunEvent> events, Consumer<String> log) {
    Process process;
    try {
      process = command.builder().start();
    } catch (IOException e) {
      events.accept(
          new RunEvent.Failed(Reason.BUG, "the worker cannot be started: " + e.getMessage()));
      return false;
    }
    Thread hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      Thread output =
          pump(
              process.inputReader(StandardCharsets.UTF_8),
              line -> crash.orLog(line, log),
              () -> {});
      pump(
          process.errorReader(StandardCharsets.UTF_8),
          line -> lines.add(Optional.of(line)),
          this::errorsEnd);
      var unused = process.onExit().thenRun(this::wake);
      assign(process);
      RunEvent last = listen(process, events, log);
      boolean isKilled = process.isAlive();
      if (isKilled) {
        // Process.destroyForcibly closes its output, which may contain unread lines.
        process.toHandle().destroyForcibly();
      }
      process.waitFor();
      // Children of a killed process may keep its output open.
      output.join(isKilled ? GRACE_MS : 0);
      events.accept(last instanceof RunEvent.Failed failed ? completed(failed) : last);
      return last instanceof RunEvent.Ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      events.accept(new RunEvent.Failed(Reason.STALLED, "interrupted"));
      return false;
    } finally {
      process.destroyForcibly();
      removeHook(hook);
    }
  }

  /** Ends the worker soon; called from another thread. */
  void end() {
    isCancelled = true;
    wake();
  }

  private void errorsEnd() {
    isReadToTheEnd = true;
    wake();
  }

  private void wake() {
    lines.add(Optional.empty());
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down already, and the hook runs.
    }
  }

  private static Thread pump(BufferedReader stream, Consumer<String> consumer, Runnable atEnd) {
    Thread thread =
        new Thread(
            () -> {
              try (stream) {
                stream.lines().forEach(consumer);
              } catch (IOException | UncheckedIOException e) {
                // The process has ended.
              }
              atEnd.run();
            },
            "worker output");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Sends the assignment and leaves standard input open: the worker ends when it is closed. */
  private void assign(Process process) {
    BufferedWriter writer = process.outputWriter(StandardCharsets.UTF_8);
    try {
      writer.write(EventLine.write(new EventLine.Assignment(request, placement)) + "\n");
      writer.flush();
    } catch (IOException e) {
      // The worker has ended already; its exit status is reported.
    }
  }

  private RunEvent listen(Process process, Consumer<RunEvent> events, Consumer<String> log)
      throws InterruptedException {
    lastSignNs = time.nowNs();
    stepSinceNs = lastSignNs;
    while (true) {
      Optional<String> line = time.next(lines, POLL_MS).flatMap(text -> text);
      if (isCancelled) {
        return stalled("was not needed any more");
      }
      Optional<RunEvent> overdue = overdue();
      if (overdue.isPresent()) {
        return overdue.get();
      }
      if (line.isEmpty()) {
        if (!process.isAlive() && isReadToTheEnd && lines.isEmpty()) {
          return ended(process.waitFor());
        }
        continue;
      }
      Optional<RunEvent> event = EventLine.read(line.get());
      if (event.isEmpty()) {
        crash.orLog(line.get(), log);
        continue;
      }
      lastSignNs = time.nowNs();
      if (event.get().isLast()) {
        time.end(process, GRACE_MS);
        return event.get();
      }
      receive(event.get(), events);
    }
  }

  private void receive(RunEvent event, Consumer<RunEvent> events) {
    if (event instanceof RunEvent.Step begun) {
      step = begun.text();
      stepSinceNs = time.nowNs();
    } else if (event instanceof RunEvent.Started) {
      started = true;
    }
    events.accept(event);
  }

  /** Failure of a worker that is silent or waits too long for ranks to join. */
  private Optional<RunEvent> overdue() {
    if (request.timeLimitSeconds() == 0) {
      return Optional.empty();
    }
    long limitMs = request.timeLimitSeconds() * MS_PER_S;
    long now = time.nowNs();
    // Before the timeouts of the other processes, so that the message names the process that they
    // wait for.
    if (now - lastSignNs > TimeUnit.MILLISECONDS.toNanos((long) (limitMs * SILENCE))) {
      return Optional.of(
          stalled(
              "gave no sign of life for %s s in %s (stopped?) and was killed"
                  .formatted(TimeUnit.NANOSECONDS.toSeconds(now - lastSignNs), step)));
    }
    if (!started && now - stepSinceNs > TimeUnit.MILLISECONDS.toNanos(limitMs + GRACE_MS)) {
      return Optional.of(
          stalled(
              "waited %s s for the other ranks to join and was killed"
                  .formatted(TimeUnit.NANOSECONDS.toSeconds(now - stepSinceNs))));
    }
    return Optional.empty();
  }

  private RunEvent.Failed stalled(String what) {
    return new RunEvent.Failed(Reason.STALLED, "process " + placement.index() + " " + what);
  }

  /** Event for a process that ended without a final event. */
  private RunEvent ended(int status) {
    String how =
        status > SIGNAL_BASE ? "signal " + (status - SIGNAL_BASE) : "exit status " + status;
    return new RunEvent.Failed(
        Reason.CRASHED, "process " + placement.index() + " ended with " + how + " while " + step);
  }

  private RunEvent completed(RunEvent.Failed failed) {
    return failed.reason() == Reason.CRASHED && crash.summary().isPresent()
        ? new RunEvent.Failed(failed.reason(), failed.message() + ": " + crash.summary().get())
        : failed;
  }
}
