package dev.topo.verify;

import dev.topo.run.bench.Row;
import dev.topo.run.bench.RunFailure;
import dev.topo.run.call.RunRequest;
import dev.topo.run.job.ProcessPlacement;
import dev.topo.run.worker.RunEvent;
import dev.topo.run.worker.WorkerCommand;
import dev.topo.run.worker.WorkerProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A completed run. */
record NcclRun(RunEvent.Started started, List<Row> rows) {
  NcclRun {
    rows = List.copyOf(rows);
  }

  /**
   * Runs NCCL.
   *
   * @param steps receives each step
   * @throws RunFailure if it does not complete
   */
  static NcclRun of(
      WorkerCommand command,
      RunRequest request,
      ProcessPlacement placement,
      Consumer<String> steps) {
    List<RunEvent> events = new ArrayList<>();
    new WorkerProcess(command, request, placement)
        .run(
            event -> {
              events.add(event);
              if (event instanceof RunEvent.Step step) {
                steps.accept(step.text());
              }
            },
            line -> {});
    if (events.get(events.size() - 1) instanceof RunEvent.Failed failed) {
      throw new RunFailure(failed.reason(), failed.message());
    }
    return new NcclRun(
        all(RunEvent.Started.class, events).findFirst().orElseThrow(),
        all(RunEvent.Measured.class, events).map(RunEvent.Measured::row).toList());
  }

  private static <E extends RunEvent> Stream<E> all(Class<E> kind, List<RunEvent> events) {
    return events.stream().filter(kind::isInstance).map(kind::cast);
  }
}
