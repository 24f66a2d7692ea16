package dev.topo.simulator.advice;

import dev.topo.model.operation.Collective;
import dev.topo.simulator.evaluate.RecommendedRules;
import java.util.List;
import java.util.Optional;

/** Writes the file of NCCL's tuner plugin that a plan needs. */
public final class PlanTuner {
  private PlanTuner() {}

  /**
   * The file: NCCL's own choices for the settings of the plan, except for advised pairs; empty
   * without any.
   */
  static String file(Adviser adviser, Plan plan) {
    Optional<SetupPredictor> any = plan.predictors().values().stream().findFirst();
    return plan.usesTuner() && any.isPresent()
        ? RecommendedRules.of(
                any.get().result().communicator(),
                List.of(Collective.values()),
                call -> adviser.pair(plan, call))
            .write()
        : "";
  }
}
