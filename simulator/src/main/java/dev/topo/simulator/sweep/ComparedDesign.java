package dev.topo.simulator.sweep;

import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.sweep.ResultRow.Outcome;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A design on a fabric, with its answers in all scenarios.
 *
 * @param values values by axis, including the machine and the fabric
 * @param nics network cards of a node
 * @param nicGbps rate of all network ports of a node in Gb/s
 * @param nodePrice price of a node; 0 without prices
 * @param edits edits of the machine, as {@code topo whatif} reads them
 * @param keys keys of the variants, in the order of the scenarios
 * @param outcomes answers, in the order of the scenarios
 * @param merit geometric mean over the scenarios of the objective relative to the best design;
 *     empty if an answer is missing
 * @param speed geometric mean over the scenarios of the speed relative to the fastest design; empty
 *     if an answer is missing
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

  /** The values of the given axes in text: {@code nics 8, fabric rail}. */
  public String label(List<String> axes) {
    return axes.isEmpty()
        ? "the only design"
        : QuantityFormat.joined(", ", axes, axis -> axis + " " + values.get(axis));
  }

  /** Why the first missing answer is missing; empty if all scenarios have an answer. */
  public String error() {
    return outcomes.stream()
        .map(Outcome::error)
        .filter(error -> !error.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** Largest GPU memory that NCCL takes in any scenario; empty if none is known. */
  public OptionalLong gpuBytes() {
    return outcomes.stream().flatMapToLong(outcome -> outcome.gpuBytes().stream()).max();
  }

  /** Groups of designs that differ at most in one axis, by their values of the other axes. */
  static Map<Map<String, String>, List<ComparedDesign>> byOtherAxes(
      List<ComparedDesign> designs, String axis) {
    return Alike.by(
        designs,
        design -> {
          Map<String, String> others = new LinkedHashMap<>(design.values);
          others.remove(axis);
          return others;
        });
  }

  ComparedDesign with(OptionalDouble newMerit, OptionalDouble newSpeed) {
    return new ComparedDesign(
        values, nics, nicGbps, nodePrice, edits, keys, outcomes, newMerit, newSpeed);
  }
}
