package dev.topo.hw.run;

import dev.topo.model.Last;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Reports of the workers of a completed run.
 *
 * @param events all events, in order
 */
public record CompletedRun(List<RunEvent> events) {
  /** Copies the list. */
  public CompletedRun {
    events = List.copyOf(events);
  }

  /**
   * Runs workers to their end.
   *
   * @param workers runs the workers and passes on each event; a failure is the last one
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
    if (Last.of(events) instanceof RunEvent.Failed failed) {
      throw new RunFailure(failed.reason(), failed.message());
    }
    return new CompletedRun(events);
  }

  /** Start event, with the library and the GPUs of the run. */
  public RunEvent.Started started() {
    return all(RunEvent.Started.class).findFirst().orElseThrow();
  }

  /** Measured sizes, in order. */
  public List<Row> rows() {
    return all(RunEvent.Measured.class).map(RunEvent.Measured::row).toList();
  }

  /** Calls of a replay. */
  public List<ReplayedCall> replayed() {
    return all(RunEvent.Replayed.class).findFirst().orElseThrow().calls();
  }

  /** Memory that the steps of a measurement took. */
  public List<TakenMemory> taken() {
    return all(RunEvent.Took.class).findFirst().orElseThrow().steps();
  }

  /** GPU memory in use at the end; zeros if the workers did not report it. */
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
