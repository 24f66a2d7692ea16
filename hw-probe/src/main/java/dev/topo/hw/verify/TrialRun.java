package dev.topo.hw.verify;

import dev.topo.hw.run.RunCollective;
import dev.topo.hw.run.SizeSweep;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.simulator.advice.Setup;
import java.util.List;
import java.util.Optional;

/**
 * Measuring process of a trial.
 *
 * @param setup settings in addition to those of the job, and buffers
 * @param forced forced algorithm and protocol, as the tuner plugin would choose them
 * @param operations operations to measure
 */
record TrialRun(
    Setup setup, Optional<Pair> forced, List<RunCollective> operations, SizeSweep sizes) {
  TrialRun {
    operations = List.copyOf(operations);
  }
}
