package dev.topo.hw.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Workers of a run, all on this host. If one fails, the others are ended, because they would wait
 * for it forever. Single use.
 */
public final class WorkerTeam {
  private final List<WorkerProcess> workers;
  private Optional<RunEvent> failure = Optional.empty();

  /** Team of workers with the same command and request. */
  public WorkerTeam(WorkerCommand command, RunRequest request, List<ProcessPlacement> placements) {
    this(
        placements.stream()
            .map(placement -> new WorkerProcess(command, request, placement))
            .toList());
  }

  WorkerTeam(List<WorkerProcess> workers) {
    this.workers = List.copyOf(workers);
  }

  /**
   * Starts the workers and receives the events of the first one until all have ended. The last
   * event is the failure of the first failed worker, if there is one.
   *
   * @param events receives events, on the calling thread
   * @param log receives NCCL's output by lines, on other threads
   * @return whether all succeeded
   */
  public boolean run(Consumer<RunEvent> events, Consumer<String> log) {
    List<Thread> threads = new ArrayList<>();
    for (WorkerProcess other : workers.subList(1, workers.size())) {
      Thread thread = new Thread(() -> other.run(this::watch, log), "worker");
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
    List<RunEvent> last = new ArrayList<>();
    workers
        .get(0)
        .run(
            event -> {
              watch(event);
              (event.isLast() ? (Consumer<RunEvent>) last::add : events).accept(event);
            },
            log);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      workers.forEach(WorkerProcess::end);
    }
    synchronized (this) {
      events.accept(failure.orElse(last.get(0)));
      return failure.isEmpty();
    }
  }

  private synchronized void watch(RunEvent event) {
    if (event instanceof RunEvent.Failed && failure.isEmpty()) {
      failure = Optional.of(event);
      workers.forEach(WorkerProcess::end);
    }
  }
}
