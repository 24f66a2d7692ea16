package dev.topo.visualizer.serve;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.CollectiveCall;
import dev.topo.model.operation.PeerCall;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.PairSelection;
import dev.topo.simulator.evaluate.PeerPrediction;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.visualizer.study.WhatIfHeadline;
import dev.topo.visualizer.times.PredictionHeadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A question with the job before and after its edits.
 *
 * @param machine the machine as it was asked about
 * @param rules the rules of NCCL before the edits
 * @param before the machine and its settings before the edits
 * @param after the same after the edits
 * @param report the outcomes; without a variant if there are no edits
 * @param caveats what is not modelled
 * @param notes notes on settings and machines, a sentence each
 */
record EvaluatedQuestion(
    PageQuestion question,
    ServedMachine machine,
    ReleaseRules rules,
    EditedMachine before,
    EditedMachine after,
    WhatIfReport report,
    List<Caveat> caveats,
    List<String> notes) {
  EvaluatedQuestion {
    caveats = List.copyOf(caveats);
    notes = List.copyOf(notes);
  }

  /** The same answer for a question that differs in what is drawn. */
  EvaluatedQuestion asking(PageQuestion other) {
    return new EvaluatedQuestion(other, machine, rules, before, after, report, caveats, notes);
  }

  /** The job after the edits, or as it is without any; empty where NCCL would not start. */
  Optional<WhatIfOutcome> outcome() {
    return report.variants().isEmpty()
        ? Optional.of(report.before())
        : report.variants().get(0).outcome();
  }

  /** The rules after the edits. */
  ReleaseRules rulesAfter() {
    return after.nccl().orElse(rules);
  }

  /** The sentence of {@code topo whatif}; without edits, that of {@code topo predict}. */
  String verdict() {
    return report.variants().isEmpty()
        ? PredictionHeadline.of(forecast(report.before().result()))
        : WhatIfHeadline.of(report);
  }

  private Forecast forecast(JobResult result) {
    List<PredictedCall> collectives = new ArrayList<>();
    List<PeerPrediction> peers = new ArrayList<>();
    for (Call call : report.calls()) {
      if (call instanceof CollectiveCall collective) {
        collectives.add(PredictedCall.of(result.predictor(), collective, PairSelection.CHOSEN));
      } else if (call instanceof PeerCall peer) {
        PeerPredictor.of(result.predictor())
            .flatMap(known -> known.predict(peer))
            .ifPresent(peers::add);
      }
    }
    return new Forecast(report.job(), result, collectives, List.of(), peers);
  }
}
