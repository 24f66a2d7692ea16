package dev.topo.simulator.sweep;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.sweep.ResultRow.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A design on a fabric, in all scenarios.
 *
 * @param values its machine, the values of the axes, and its fabric, by axis
 * @param nics network cards of a node
 * @param nicGbps rate of all network ports of a node in Gb/s
 * @param nodePrice price of a node; 0 without prices
 * @param edits its edits, as {@code topo whatif} reads them
 * @param keys the keys of its variants, in the order of the scenarios
 * @param outcomes its answers, in the order of the scenarios
 * @param merit mean over the scenarios of its measure relative to the best design's; empty if an
 *     answer is missing
 * @param speed mean over the scenarios of its speed relative to the fastest design's; likewise
 */
public record ComparedDesign(
    Map<String, String> values,
    int nics,
    double nicGbps,
    double nodePrice,
    String edits,
    List<String> keys,
    List<Outcome> outcomes,
    OptionalDouble merit,
    OptionalDouble speed) {
  public ComparedDesign {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    keys = List.copyOf(keys);
    outcomes = List.copyOf(outcomes);
  }

  /** The values of some axes in text: {@code nics 8, fabric rail}. */
  public String label(List<String> axes) {
    return axes.isEmpty()
        ? "the only design"
        : QuantityFormat.joined(", ", axes, axis -> axis + " " + values.get(axis));
  }

  /** The first reason why an answer is missing; empty if none is. */
  public String error() {
    return outcomes.stream()
        .map(Outcome::error)
        .filter(error -> !error.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** The most memory of a GPU that NCCL takes in a scenario; empty where none is known. */
  public OptionalLong gpuBytes() {
    return outcomes.stream().flatMapToLong(outcome -> outcome.gpuBytes().stream()).max();
  }

  /** Designs in groups that differ in one axis at most, by their values of the other axes. */
  static Map<Map<String, String>, List<ComparedDesign>> byOtherAxes(
      List<ComparedDesign> designs, String axis) {
    Map<Map<String, String>, List<ComparedDesign>> groups = new LinkedHashMap<>();
    for (ComparedDesign design : designs) {
      Map<String, String> others = new LinkedHashMap<>(design.values);
      others.remove(axis);
      groups.computeIfAbsent(others, key -> new ArrayList<>()).add(design);
    }
    return groups;
  }

  ComparedDesign with(OptionalDouble newMerit, OptionalDouble newSpeed) {
    return new ComparedDesign(
        values, nics, nicGbps, nodePrice, edits, keys, outcomes, newMerit, newSpeed);
  }
}
