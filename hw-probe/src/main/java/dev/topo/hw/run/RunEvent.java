package dev.topo.hw.run;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.topo.hw.run.RunFailure.Reason;
import java.util.List;

/** Event of a worker. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
public sealed interface RunEvent {
  /** True if no event of the worker follows. */
  default boolean isLast() {
    return this instanceof Ended || this instanceof Failed;
  }

  /** A heartbeat. */
  record Alive() implements RunEvent {}

  /** A step has begun. */
  record Step(String text) implements RunEvent {}

  /**
   * The worker is ready to measure.
   *
   * @param bufferBytes size of the buffers; larger sizes are skipped
   */
  record Started(
      int ncclVersion,
      String library,
      List<UsedDevice> devices,
      List<String> announcements,
      long bufferBytes)
      implements RunEvent {
    public Started {
      devices = List.copyOf(devices);
      announcements = List.copyOf(announcements);
    }
  }

  /** The worker has measured a size. */
  record Measured(Row row) implements RunEvent {}

  /** The worker has replayed the calls of a job. */
  record Replayed(List<ReplayedCall> calls) implements RunEvent {
    public Replayed {
      calls = List.copyOf(calls);
    }
  }

  /** The worker has measured the memory of its rank's steps. */
  record Took(List<TakenMemory> steps) implements RunEvent {
    public Took {
      steps = List.copyOf(steps);
    }
  }

  /** The worker has finished. */
  record Ended(MemoryUse memory) implements RunEvent {}

  /** The worker has failed. */
  record Failed(Reason reason, String message) implements RunEvent {}
}
