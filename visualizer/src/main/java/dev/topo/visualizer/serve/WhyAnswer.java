package dev.topo.visualizer.serve;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.search.explain.Explanation;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.variant.TracedCommunicator;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.verdict.JobExplainer;
import dev.topo.visualizer.structure.ExplanationOutput;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Set;

/** Explains NCCL's choice for a call, with the sentences of {@code topo explain}. */
final class WhyAnswer {

  private WhyAnswer() {}

  /**
   * Returns the explanation of a call of the job after its edits; if NCCL does not start, before
   * them.
   */
  static Answer of(EvaluatedQuestion answered, Call call, JobEvaluator evaluator) {
    WhatIfOutcome outcome = answered.shown();
    List<Explanation> explanations =
        new JobExplainer(
                TracedCommunicator.of(evaluator, outcome.result().request()),
                answered.shownMachine().settings(),
                rank -> answered.machineOf(outcome, rank))
            .explain(call, Set.of(), List.of());
    Operation operation = call.operation();
    return Json.document(
        "serve-why",
        Fields.of(Call.class)
            .field(
                "title", one -> operation.label() + " of " + QuantityFormat.size(one.sizeBytes()))
            .list("sections", one -> explanations, ExplanationOutput.SENTENCES),
        call);
  }
}
