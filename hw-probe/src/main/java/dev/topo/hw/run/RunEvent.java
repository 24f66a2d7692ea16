package dev.topo.hw.run;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.topo.hw.run.RunFailure.Reason;
import java.util.List;

/** An event of a worker. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
public sealed interface RunEvent {
  /** A heartbeat. */
  record Alive() implements RunEvent {}

  /** A step begins. */
  record Step(String text) implements RunEvent {}

  /**
   * It is ready to measure.
   *
   * @param bufferBytes how large buffers are; larger sizes are left out
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

  /** It measured a size. */
  record Measured(Row row) implements RunEvent {}

  /** It replayed the calls of a job. */
  record Replayed(List<ReplayedCall> calls) implements RunEvent {
    public Replayed {
      calls = List.copyOf(calls);
    }
  }

  /** It measured the memory of the steps of its rank. */
  record Took(List<TakenMemory> steps) implements RunEvent {
    public Took {
      steps = List.copyOf(steps);
    }
  }

  /** It is done. */
  record Ended(MemoryUse memory) implements RunEvent {}

  /** It failed. */
  record Failed(Reason reason, String message) implements RunEvent {}
}
