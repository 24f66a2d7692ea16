package dev.topo.simulator.sweep;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The effect of an axis, from comparisons of designs that differ in this axis only.
 *
 * @param axis name of the axis
 * @param meanFactor ratio of the longest to the shortest time over the values of the axis:
 *     geometric mean of all comparisons
 * @param mostFactor the largest of these ratios
 * @param most the scenario of the largest ratio
 * @param fastest the value that is fastest in most comparisons; on ties the first
 */
public record AxisEffect(
    String axis, double meanFactor, double mostFactor, Scenario most, String fastest) {

  /** The effects of axes, the largest first. Axes without comparable designs are omitted. */
  static List<AxisEffect> of(
      List<String> axes, List<Scenario> scenarios, List<ComparedDesign> designs) {
    List<AxisEffect> effects = new ArrayList<>();
    for (String axis : axes) {
      new Sum(axis)
          .over(ComparedDesign.byOtherAxes(designs, axis), scenarios)
          .ifPresent(effects::add);
    }
    effects.sort(Comparator.comparingDouble(AxisEffect::meanFactor).reversed());
    return effects;
  }

  /** Accumulates the comparisons of an axis. */
  private static final class Sum {
    private final String axis;
    private final Map<String, Integer> wins = new LinkedHashMap<>();
    private double logs;
    private int count;
    private double most;
    private Optional<Scenario> scenarioOfMost = Optional.empty();

    Sum(String axis) {
      this.axis = axis;
    }

    Optional<AxisEffect> over(
        Map<Map<String, String>, List<ComparedDesign>> alike, List<Scenario> scenarios) {
      for (List<ComparedDesign> group : alike.values()) {
        for (int s = 0; s < scenarios.size(); s++) {
          add(group, s, scenarios.get(s));
        }
      }
      return scenarioOfMost.map(
          scenario ->
              new AxisEffect(
                  axis,
                  Math.exp(logs / count),
                  most,
                  scenario,
                  wins.entrySet().stream()
                      .max(Map.Entry.comparingByValue())
                      .map(Map.Entry::getKey)
                      .orElse("")));
    }

    private void add(List<ComparedDesign> group, int s, Scenario scenario) {
      List<ComparedDesign> known =
          group.stream().filter(design -> design.outcomes().get(s).timeUs().isPresent()).toList();
      if (known.size() < 2) {
        return;
      }
      double least = Double.POSITIVE_INFINITY;
      double longest = 0;
      String fastest = "";
      for (ComparedDesign design : known) {
        double time = design.outcomes().get(s).timeUs().orElseThrow();
        if (time < least) {
          least = time;
          fastest = design.values().getOrDefault(axis, "");
        }
        longest = Math.max(longest, time);
      }
      wins.merge(fastest, 1, Integer::sum);
      logs += Math.log(longest / least);
      count++;
      if (longest / least > most) {
        most = longest / least;
        scenarioOfMost = Optional.of(scenario);
      }
    }
  }
}
