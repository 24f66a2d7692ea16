package dev.topo.hw.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Reports of the workers of a completed run.
 *
 * @param events all events in their order
 */
public record CompletedRun(List<RunEvent> events) {
  /** Copies the list. */
  public CompletedRun {
    events = List.copyOf(events);
  }

  /**
   * Runs workers to their end.
   *
   * @param workers runs them; passes each event on, that of a failure last
   * @param steps receives the text of each step
   * @throws RunFailure if a worker failed
   */
  public static CompletedRun of(Consumer<Consumer<RunEvent>> workers, Consumer<String> steps) {
    List<RunEvent> events = new ArrayList<>();
    workers.accept(
        event -> {
          events.add(event);
          if (event instanceof RunEvent.Step step) {
            steps.accept(step.text());
          }
        });
    if (events.get(events.size() - 1) instanceof RunEvent.Failed failed) {
      throw new RunFailure(failed.reason(), failed.message());
    }
    return new CompletedRun(events);
  }

  /** The library and the GPUs that ran. */
  public RunEvent.Started started() {
    return all(RunEvent.Started.class).findFirst().orElseThrow();
  }

  /** The measured sizes, in their order. */
  public List<Row> rows() {
    return all(RunEvent.Measured.class).map(RunEvent.Measured::row).toList();
  }

  /** The calls of a replay. */
  public List<ReplayedCall> replayed() {
    return all(RunEvent.Replayed.class).findFirst().orElseThrow().calls();
  }

  /** The memory that the steps of a measurement took. */
  public List<TakenMemory> taken() {
    return all(RunEvent.Took.class).findFirst().orElseThrow().steps();
  }

  /** The GPU memory in use at the end; none where the workers did not report it. */
  public MemoryUse memory() {
    return all(RunEvent.Ended.class)
        .findFirst()
        .map(RunEvent.Ended::memory)
        .orElse(new MemoryUse(0, 0, 0));
  }

  private <E extends RunEvent> Stream<E> all(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast);
  }
}
