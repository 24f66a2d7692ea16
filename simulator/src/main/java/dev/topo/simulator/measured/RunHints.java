package dev.topo.simulator.measured;

import dev.topo.model.operation.Collective;
import dev.topo.simulator.measured.Measurement.Pair;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the user knows of a run that its file may not say.
 *
 * @param collective the collective, where the file names none
 * @param nGpus GPUs that took part, where the file lists none
 * @param forced what NCCL was made to use, where the file does not tell; empty for its own choice
 */
public record RunHints(Optional<Collective> collective, OptionalInt nGpus, Optional<Pair> forced) {
  /** Nothing is known but the file. */
  public static final RunHints NOTHING =
      new RunHints(Optional.empty(), OptionalInt.empty(), Optional.empty());

  /**
   * What the options of a command tell.
   *
   * @param collectives those that are asked for; a single one is that of a file that names none
   */
  public static RunHints of(
      List<Collective> collectives, OptionalInt nGpus, Optional<Pair> forced) {
    return new RunHints(
        collectives.size() == 1 ? Optional.of(collectives.get(0)) : Optional.empty(),
        nGpus,
        forced);
  }
}
