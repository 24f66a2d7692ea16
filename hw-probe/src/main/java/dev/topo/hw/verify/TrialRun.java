package dev.topo.hw.verify;

import dev.topo.hw.run.RunCollective;
import dev.topo.hw.run.SizeSweep;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.simulator.advice.Setup;
import java.util.List;
import java.util.Optional;

/**
 * A process to measure with.
 *
 * @param setup settings beside those of the job, and buffers
 * @param forced the pair that it is forced to, as the tuner plugin would choose it
 * @param operations what it measures
 */
record TrialRun(
    Setup setup, Optional<Pair> forced, List<RunCollective> operations, SizeSweep sizes) {
  public TrialRun {
    operations = List.copyOf(operations);
  }
}
