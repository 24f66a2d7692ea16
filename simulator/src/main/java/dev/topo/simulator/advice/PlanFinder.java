package dev.topo.simulator.advice;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Operation;
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
 * Finds the settings that are best for all calls of a job together, and with them the kind of
 * buffers that is best for each operation. No call may take longer than now.
 *
 * @param setups the job as it is, and others
 */
record PlanFinder(CallChooser chooser, List<SetupPredictor> setups) {
  /**
   * The predicted loss of a call that a plan may cause, as a part: less than measurements scatter.
   */
  private static final double MOST_LOSS = 0.01;

  /** More work is only advised for such a mean gain of all calls more, as a part. */
  private static final double WORTH_MORE_WORK = 0.002;

  /** The best plan; it changes nothing where nothing gains. */
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

  /** Calls with a setup; empty where one of them would take longer than now. */
  private Optional<List<CallAdvice>> with(SetupPredictor setup, List<CallAdvice> calls) {
    List<CallAdvice> planned = new ArrayList<>();
    for (CallAdvice advice : calls) {
      Optional<Alternative> chosen = setup.byChoice(advice.call());
      if (chosen.isEmpty()) {
        return Optional.empty();
      }
      Optional<Alternative> surest =
          chooser.surest(advice.now(), chooser.variants(setup, advice.call()));
      if (surest.isEmpty() && chosen.get().timeUs() > advice.now().timeUs() * (1 + MOST_LOSS)) {
        return Optional.empty();
      }
      planned.add(chooser.advice(advice.now(), surest));
    }
    return Optional.of(planned);
  }
}
