package dev.topo.verify.trial;

import dev.topo.advice.lever.Setup;
import dev.topo.measured.Measurement.Pair;
import dev.topo.run.call.RunCollective;
import dev.topo.run.call.SizeSweep;
import java.util.List;
import java.util.Optional;

/**
 * A process to measure with.
 *
 * @param setup settings beside those of the job, and buffers
 * @param forced the pair that it is forced to, as the tuner plugin would choose it
 * @param operations what it measures
 * @param sizes the sizes
 */
public record TrialRun(
    Setup setup, Optional<Pair> forced, List<RunCollective> operations, SizeSweep sizes) {
  public TrialRun {
    operations = List.copyOf(operations);
  }
}
