package dev.topo.simulator.advice;

import dev.topo.model.Alike;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.TimeChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the best settings for all calls of a job together, with the best kind of buffers for each
 * operation. No call may become slower.
 *
 * @param setups predictors for the job as it is, which comes first, and for other setups
 */
record PlanFinder(CallChooser chooser, List<SetupPredictor> setups) {
  /** Least additional mean relative gain that justifies more effort. */
  private static final double LEAST_GAIN_OF_EFFORT = 0.002;

  /** Finds the best plan; it has no changes if nothing gains. */
  Plan find(List<CallAdvice> calls) {
    Set<NcclSettings> settings = new LinkedHashSet<>();
    setups.forEach(setup -> settings.add(setup.setup().settings()));
    List<Plan> plans = new ArrayList<>();
    for (NcclSettings common : settings) {
      List<SetupPredictor> alike =
          setups.stream().filter(setup -> setup.setup().settings().equals(common)).toList();
      plan(alike, calls).ifPresent(plans::add);
    }
    return best(plans);
  }

  private static Plan best(List<Plan> plans) {
    List<Plan> simplestFirst =
        plans.stream().sorted(Comparator.comparingInt(Plan::effort)).toList();
    Plan best = simplestFirst.get(0);
    for (Plan plan : simplestFirst) {
      best = plan.least() > best.least() + LEAST_GAIN_OF_EFFORT ? plan : best;
    }
    return best;
  }

  private Optional<Plan> plan(List<SetupPredictor> alike, List<CallAdvice> calls) {
    Map<Operation, SetupPredictor> predictors = new LinkedHashMap<>();
    List<CallAdvice> planned = new ArrayList<>();
    Map<Operation, List<CallAdvice>> byOperation = Alike.by(calls, call -> call.call().operation());
    for (Map.Entry<Operation, List<CallAdvice>> entry : byOperation.entrySet()) {
      List<Plan> candidates = new ArrayList<>();
      for (SetupPredictor setup : alike) {
        planned(setup, entry.getValue())
            .map(advised -> new Plan(Map.of(entry.getKey(), setup), advised))
            .ifPresent(candidates::add);
      }
      if (candidates.isEmpty()) {
        return Optional.empty();
      }
      Plan best = best(candidates);
      predictors.putAll(best.predictors());
      planned.addAll(best.calls());
    }
    return Optional.of(new Plan(predictors, planned));
  }

  /** Plans calls with a setup; empty if one of them would become slower or is refused. */
  private Optional<List<CallAdvice>> planned(SetupPredictor setup, List<CallAdvice> calls) {
    List<CallAdvice> planned = new ArrayList<>();
    for (CallAdvice advice : calls) {
      Optional<Alternative> chosen = setup.byChoice(advice.call());
      if (chosen.isEmpty()) {
        return Optional.empty();
      }
      Optional<Alternative> surest =
          chooser.surest(advice.now(), chooser.variants(setup, advice.call()));
      if (surest.isEmpty() && TimeChange.isMore(chosen.get().timeUs(), advice.now().timeUs())) {
        return Optional.empty();
      }
      planned.add(chooser.advice(advice.now(), surest));
    }
    return Optional.of(planned);
  }
}
