package dev.topo.hw.verify;

import dev.topo.hw.run.RunFailure;
import java.util.List;

/** Measures in a separate process. */
@FunctionalInterface
public interface TrialRunner {
  /**
   * Measured call, out of place.
   *
   * @param operation name of its operation in nccl-tests
   * @param bytes its size as nccl-tests counts it
   * @param timeUs time from call to call in microseconds
   */
  record Time(String operation, long bytes, double timeUs) {}

  /**
   * Times of a run.
   *
   * @throws RunFailure if NCCL does not run
   */
  List<Time> run(TrialRun run);
}
