package dev.topo.cli.verify;

import dev.topo.run.worker.RunEvent;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.compare.LogComparison;
import java.util.List;
import java.util.Objects;

/**
 * What came of it.
 *
 * @param started who took part
 * @param communicator what was predicted
 * @param comparison what NCCL dumped and logged against that
 * @param measured what it reached
 */
public record Verification(
    RunEvent.Started started,
    Communicator communicator,
    LogComparison comparison,
    List<Measured> measured) {
  /** Copies the list. */
  public Verification {
    Objects.requireNonNull(started, "started");
    Objects.requireNonNull(communicator, "communicator");
    Objects.requireNonNull(comparison, "comparison");
    measured = List.copyOf(measured);
  }

  /** How many measurements had wrong elements. */
  public long wrong() {
    return measured.stream()
        .filter(
            one ->
                one.row().outOfPlace().wrong().orElse(0) + one.row().inPlace().wrong().orElse(0)
                    > 0)
        .count();
  }

  /** Whether all that was compared agrees and all results were right. */
  public boolean isGood() {
    return comparison.differences().isEmpty() && wrong() == 0;
  }
}
