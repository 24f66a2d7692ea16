package dev.topo.simulator.sweep;

import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.sweep.ResultRow.Outcome;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * Designs with equal cost and equal times in all scenarios.
 *
 * @param designs the designs, at least one, in the order of the answer
 */
public record EqualDesigns(List<ComparedDesign> designs) {
  public EqualDesigns {
    designs = List.copyOf(designs);
  }

  private record Kind(double cost, List<OptionalDouble> timesUs, String error) {}

  /** Groups the designs of an answer, in the order of the first design of each group. */
  public static List<EqualDesigns> of(SweepAnswer answer) {
    return Alike.by(
            answer.designs(),
            design ->
                new Kind(
                    answer.cost(design),
                    design.outcomes().stream().map(Outcome::timeUs).toList(),
                    design.error()))
        .values()
        .stream()
        .map(EqualDesigns::new)
        .toList();
  }

  /** The first design, which represents all. */
  public ComparedDesign first() {
    return designs.get(0);
  }

  /**
   * The values on an axis: all if the designs are all combinations of their values, otherwise that
   * of the first design.
   */
  public String value(String axis, List<String> axes) {
    return areAllCombined(axes)
        ? designs.stream()
            .map(design -> String.valueOf(design.values().get(axis)))
            .distinct()
            .collect(Collectors.joining("|"))
        : String.valueOf(first().values().get(axis));
  }

  /** Number of designs that {@link #value} omits, as they are not all combinations of values. */
  public int hidden(List<String> axes) {
    return areAllCombined(axes) ? 0 : designs.size() - 1;
  }

  private boolean areAllCombined(List<String> axes) {
    long product = 1;
    for (String axis : axes) {
      product *= designs.stream().map(design -> design.values().get(axis)).distinct().count();
    }
    return product == designs.size();
  }

  /** The values of all axes in text: {@code nics 8, fabric rail|leaf}. */
  public String label(List<String> axes) {
    return axes.isEmpty()
        ? first().label(axes)
        : QuantityFormat.joined(", ", axes, axis -> axis + " " + value(axis, axes));
  }
}
