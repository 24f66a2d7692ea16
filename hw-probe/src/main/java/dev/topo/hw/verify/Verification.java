package dev.topo.hw.verify;

import dev.topo.hw.run.RunEvent;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.log.LogComparison;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.tuning.Communicator;
import java.util.List;

/**
 * The result of a verification.
 *
 * @param comparison what NCCL dumped and logged against that
 * @param mismatches how the run differs from the rules and the machines of the prediction
 * @param rules the rules of the prediction, those for the library that ran
 * @param wrongResults sizes of collectives whose result was wrong
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

  /** NCCL's choices beside what else was measured; empty without measurements. */
  public List<MeasuredChoice> choices() {
    return MeasuredChoice.of(measured);
  }

  public boolean isGood() {
    return comparison.differences().isEmpty() && wrongResults == 0;
  }
}
