package dev.topo.hw.run;

import dev.topo.hw.run.RunFailure.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Runs an assignment and reports events. Single use. */
public final class Worker {
  private static final long HEARTBEAT_MS = 500;
  private static final long ABORT_TIMEOUT_MS = 3_000;
  private static final Path MAPS = Path.of("/proc/self/maps");
  private static final Path STATUS = Path.of("/proc/self/status");

  private final RunRequest request;
  private final ProcessPlacement placement;
  private final BiFunction<RunRequest, ProcessPlacement, GpuJob> opener;
  private final BiFunction<RunRequest, ProcessPlacement, MemoryGpu> memory;
  private final WorkerTime time;
  private final Consumer<RunEvent> out;
  private boolean failed;
  private volatile String step = "joining the other ranks";

  public Worker(
      EventLine.Assignment assignment,
      BiFunction<RunRequest, ProcessPlacement, GpuJob> opener,
      BiFunction<RunRequest, ProcessPlacement, MemoryGpu> memory,
      WorkerTime time,
      Consumer<RunEvent> out) {
    this.memory = memory;
    this.request = assignment.request();
    this.placement = assignment.placement();
    this.opener = opener;
    this.time = time;
    this.out = out;
  }

  public int run() {
    Thread heart = new Thread(this::beat, "heartbeat");
    heart.setDaemon(true);
    heart.start();
    try {
      send(new RunEvent.Step(step));
      if (request.memory().isPresent()) {
        measureMemory(request.memory().get());
        return 0;
      }
      GpuJob job = opener.apply(request, placement);
      send(
          new RunEvent.Started(
              job.ncclVersion(),
              libraryFile(),
              job.devices(),
              job.announcements(),
              job.bufferBytes()));
      if (job.replay().isPresent() && request.replay().isPresent()) {
        send(
            new RunEvent.Replayed(
                new Replayer(request.replay().get(), job.replay().get(), this::beginStep).run()));
      } else {
        bench(job);
      }
      if (!failed) {
        send(new RunEvent.Step("closing"));
        RunEvent end = new RunEvent.Ended(job.memory().get());
        job.closing().run();
        send(end);
      }
    } catch (RuntimeException | Error e) {
      fail(e);
    } finally {
      heart.interrupt();
    }
    return failed ? 1 : 0;
  }

  private void measureMemory(MemoryPlan plan) {
    MemoryGpu gpu = memory.apply(request, placement);
    send(
        new RunEvent.Started(
            gpu.ncclVersion(),
            libraryFile(),
            List.of(gpu.device()),
            List.of(placement.announcement()),
            plan.bufferBytes()));
    send(new RunEvent.Took(new MemoryRun(plan, gpu, Worker::sharedKib, this::beginStep).run()));
    send(new RunEvent.Step("closing"));
    gpu.leave();
    send(new RunEvent.Ended(new MemoryUse(0, 0, 0)));
  }

  private static long sharedKib() {
    try {
      return MemoryRun.sharedKib(Files.readAllLines(STATUS));
    } catch (IOException e) {
      return 0;
    }
  }

  private synchronized void send(RunEvent event) {
    out.accept(event);
  }

  private void beat() {
    try {
      while (true) {
        time.pause(HEARTBEAT_MS);
        send(new RunEvent.Alive());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs a benchmark thread for each group of GPUs; the first one is the current thread. */
  private void bench(GpuJob job) {
    List<GpuGroup> groups = job.groups();
    ThreadTeam team = new ThreadTeam(groups.size(), job.peers());
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i < groups.size(); i++) {
      int thread = i;
      threads.add(
          new Thread(
              () -> bench(job, groups, thread, team, what -> {}, row -> {}),
              "GPUs of thread " + i));
    }
    threads.forEach(Thread::start);
    bench(job, groups, 0, team, this::beginStep, row -> send(new RunEvent.Measured(row)));
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (failed) {
      abort(groups);
    }
  }

  private void bench(
      GpuJob job,
      List<GpuGroup> groups,
      int thread,
      ThreadTeam team,
      Consumer<String> steps,
      Consumer<Row> rows) {
    try {
      GpuGroup group = groups.get(thread);
      ThreadTeam.Member member = team.member(thread);
      new CollectiveBench(job.request(), job.bufferBytes(), group, member, time::nowNs, steps, rows)
          .run();
    } catch (ThreadTeam.Dissolved e) {
      // The failed thread reports the reason.
    } catch (RuntimeException | Error e) {
      // Without this event the other threads would wait forever.
      fail(e);
      team.dissolve();
    }
  }

  private void beginStep(String what) {
    step = what;
    send(new RunEvent.Step(what));
  }

  private synchronized void fail(Throwable e) {
    failed = true;
    Reason reason = e instanceof RunFailure failure ? failure.reason() : Reason.BUG;
    String message = String.valueOf(e.getMessage());
    if (reason == Reason.STALLED) {
      message += (message.endsWith(step) ? "" : ", at " + step) + "; ending it by ncclCommAbort";
    } else if (reason == Reason.BUG) {
      message = e + " at " + (e.getStackTrace().length > 0 ? e.getStackTrace()[0] : "?");
    }
    send(new RunEvent.Failed(reason, message));
  }

  /** Aborts the work on the GPUs, without waiting for a library that hangs. */
  private void abort(List<GpuGroup> groups) {
    Thread thread = new Thread(() -> groups.forEach(GpuGroup::abort), "abort");
    thread.setDaemon(true);
    thread.start();
    try {
      time.end(thread, ABORT_TIMEOUT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String libraryFile() {
    try (Stream<String> lines = Files.lines(MAPS)) {
      return lines
          .filter(line -> line.contains("/libnccl.so"))
          .map(line -> line.substring(line.indexOf('/')))
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
