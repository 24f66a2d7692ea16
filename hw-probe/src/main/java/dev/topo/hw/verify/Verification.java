package dev.topo.hw.verify;

import dev.topo.hw.run.RunEvent;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.log.LogComparison;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.tuning.Communicator;
import java.util.List;

/**
 * Result of a verification.
 *
 * @param comparison comparison of the prediction with NCCL's dumps and logs
 * @param mismatches differences between the run and the rules and machines of the prediction
 * @param rules rules of the prediction, for the library that ran
 * @param wrongResults sizes of collectives with wrong results
 */
public record Verification(
    RunEvent.Started started,
    Communicator communicator,
    LogComparison comparison,
    List<Caveat> mismatches,
    ReleaseRules rules,
    long wrongResults,
    List<MeasuredCall> measured) {
  public Verification {
    mismatches = List.copyOf(mismatches);
    measured = List.copyOf(measured);
  }

  /** NCCL's choices compared with the other measurements; empty without measurements. */
  public List<MeasuredChoice> choices() {
    return MeasuredChoice.of(measured);
  }

  public boolean isGood() {
    return comparison.differences().isEmpty() && wrongResults == 0;
  }
}
