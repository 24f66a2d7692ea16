package dev.topo.verify;

import dev.topo.run.bench.Row;
import dev.topo.run.call.RunRequest;
import dev.topo.run.job.ProcessPlacement;
import dev.topo.run.worker.RunEvent;
import dev.topo.run.worker.WorkerCommand;
import dev.topo.run.worker.WorkerProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A completed run. */
record NcclRun(RunEvent.Started started, List<Row> rows) {
  NcclRun {
    rows = List.copyOf(rows);
  }

  /**
   * Runs NCCL.
   *
   * @param steps receives each step
   * @throws FailedRunException if it does not complete
   */
  static NcclRun of(
      WorkerCommand command,
      RunRequest request,
      ProcessPlacement placement,
      Consumer<String> steps) {
    Hearing hearing = new Hearing(steps);
    new WorkerProcess(command, request, placement).run(hearing::hear, line -> {});
    if (hearing.failed != null) {
      throw new FailedRunException(hearing.failed);
    }
    return new NcclRun(Objects.requireNonNull(hearing.started), hearing.rows);
  }

  private static final class Hearing {
    private final Consumer<String> steps;
    private final List<Row> rows = new ArrayList<>();
    private RunEvent.@Nullable Started started;
    private RunEvent.@Nullable Failed failed;

    Hearing(Consumer<String> steps) {
      this.steps = steps;
    }

    void hear(RunEvent event) {
      if (event instanceof RunEvent.Started one) {
        started = one;
      } else if (event instanceof RunEvent.Measured measured) {
        rows.add(measured.row());
      } else if (event instanceof RunEvent.Step step) {
        steps.accept(step.text());
      } else if (event instanceof RunEvent.Failed one) {
        failed = one;
      }
    }
  }
}
