package dev.topo.cli;

import dev.topo.cli.option.CallOptions;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.TunerCsv;
import dev.topo.simulator.evaluate.ForcedRule;
import dev.topo.visualizer.times.TuningOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** The option for additional tuner rules, and the rule file for NCCL's tuner plugin. */
final class TunerRules {
  @Option(
      names = "--force",
      paramLabel = "RULE",
      description =
          "A rule to put first in the tuner format, as in all_gather:4M:8M:ring:ll128, optionally followed by :CHANNELS;"
              + " may be repeated.")
  private List<String> forced = new ArrayList<>();

  /** True if the user gives rules with {@code --force}. */
  boolean isForced() {
    return !forced.isEmpty();
  }

  /**
   * Builds the rule file: the user's rules first, then NCCL's own choices as rules.
   *
   * @param calls the collectives and sizes that NCCL's choices are listed for
   * @param notes receives a note if the file does not cover all collectives and sizes
   */
  TunerCsv of(Communicator communicator, CallOptions calls, Consumer<String> notes) {
    List<Collective> collectives = calls.collectives();
    TunerCsv csv =
        calls.hasSizes()
            ? TunerCsv.within(
                TuningOutput.ranges(
                    communicator,
                    calls.calls(calls.sizes()).stream().map(CollectiveCall::exact).toList(),
                    calls.sizes()),
                communicator.facts())
            : TunerCsv.of(communicator.tuner()).only(collectives);
    if (calls.hasSizes() || collectives.size() < Collective.values().length) {
      notes.accept(
          "the file has no rule for other collectives and sizes: NCCL's plugin runs these on one channel");
    }
    for (int i = forced.size() - 1; i >= 0; i--) {
      csv = csv.withFirst(ForcedRule.parse(forced.get(i), communicator));
    }
    return csv;
  }
}
