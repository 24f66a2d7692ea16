package dev.topo.simulator.advice;

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
import java.util.stream.Collectors;

/**
 * Finds the best settings for all calls of a job together, with the best kind of buffers for each
 * operation. No call may become slower.
 *
 * @param setups the job as it is, and others
 */
record PlanFinder(CallChooser chooser, List<SetupPredictor> setups) {
  /** Additional mean relative gain that justifies more effort. */
  private static final double WORTH_MORE_WORK = 0.002;

  /** The best plan; without changes if nothing gains. */
  Plan find(List<CallAdvice> calls) {
    Set<NcclSettings> settings = new LinkedHashSet<>();
    setups.forEach(setup -> settings.add(setup.setup().settings()));
    List<Plan> plans = new ArrayList<>();
    for (NcclSettings some : settings) {
      List<SetupPredictor> alike =
          setups.stream().filter(setup -> setup.setup().settings().equals(some)).toList();
      plan(alike, calls).ifPresent(plans::add);
    }
    return best(plans);
  }

  private static Plan best(List<Plan> plans) {
    List<Plan> simplestFirst =
        plans.stream().sorted(Comparator.comparingInt(Plan::effort)).toList();
    Plan best = simplestFirst.get(0);
    for (Plan plan : simplestFirst) {
      best = plan.least() > best.least() + WORTH_MORE_WORK ? plan : best;
    }
    return best;
  }

  private Optional<Plan> plan(List<SetupPredictor> alike, List<CallAdvice> calls) {
    Map<Operation, SetupPredictor> predictors = new LinkedHashMap<>();
    List<CallAdvice> planned = new ArrayList<>();
    Map<Operation, List<CallAdvice>> byOperation =
        calls.stream()
            .collect(
                Collectors.groupingBy(
                    call -> call.call().operation(), LinkedHashMap::new, Collectors.toList()));
    for (Map.Entry<Operation, List<CallAdvice>> entry : byOperation.entrySet()) {
      List<Plan> each = new ArrayList<>();
      for (SetupPredictor setup : alike) {
        with(setup, entry.getValue())
            .map(those -> new Plan(Map.of(entry.getKey(), setup), those))
            .ifPresent(each::add);
      }
      if (each.isEmpty()) {
        return Optional.empty();
      }
      Plan best = best(each);
      predictors.putAll(best.predictors());
      planned.addAll(best.calls());
    }
    return Optional.of(new Plan(predictors, planned));
  }

  /** Calls with a setup; empty if one of them would become slower. */
  private Optional<List<CallAdvice>> with(SetupPredictor setup, List<CallAdvice> calls) {
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
