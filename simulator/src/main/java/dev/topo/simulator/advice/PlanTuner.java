package dev.topo.simulator.advice;

import dev.topo.model.operation.Collective;
import dev.topo.simulator.evaluate.RecommendedRules;
import java.util.List;
import java.util.Optional;

/** Writes the file of NCCL's tuner plugin that a plan needs. */
public final class PlanTuner {
  private PlanTuner() {}

  /**
   * Returns the contents of the file: NCCL's own choices under the settings of the plan, except for
   * advised pairs. Empty if no pair is advised.
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
