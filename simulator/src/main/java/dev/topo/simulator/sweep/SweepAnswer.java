package dev.topo.simulator.sweep;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The answer of a sweep: its designs, compared.
 *
 * @param name name of the sweep
 * @param ranking criteria of the comparison
 * @param axes axes with several values; the machine and the fabric count as axes
 * @param scenarios scenarios of the comparison
 * @param designs designs within the limits, the best first, those with missing answers last
 * @param effects effects of the axes, the largest first
 * @param excluded number of designs outside the limits
 * @param notes omissions and the basis of the times, in words
 */
public record SweepAnswer(
    String name,
    Ranking ranking,
    List<String> axes,
    List<Scenario> scenarios,
    List<ComparedDesign> designs,
    List<AxisEffect> effects,
    int excluded,
    List<String> notes) {
  public SweepAnswer {
    axes = List.copyOf(axes);
    scenarios = List.copyOf(scenarios);
    designs = List.copyOf(designs);
    effects = List.copyOf(effects);
    notes = List.copyOf(notes);
  }

  /** True if designs have prices; otherwise their cost is the number of network cards. */
  public boolean hasPrices() {
    return ranking.prices().areGiven();
  }

  /** The cost of a node of a design: its price, or without prices its number of network cards. */
  public double cost(ComparedDesign design) {
    return hasPrices() ? design.nodePrice() : design.nics();
  }

  /** The designs with all answers, the best first. */
  public List<ComparedDesign> ranked() {
    return designs.stream().filter(design -> design.merit().isPresent()).toList();
  }

  /**
   * The Pareto front of cost and speed, the cheapest design first: each further design costs more
   * and is faster. Of designs with equal cost and speed, it has the best.
   */
  public List<ComparedDesign> front() {
    List<ComparedDesign> byCost = new ArrayList<>(ranked());
    byCost.sort(
        Comparator.comparingDouble(this::cost).thenComparing(design -> -design.speed().orElse(0)));
    List<ComparedDesign> front = new ArrayList<>();
    double fastest = 0;
    for (ComparedDesign design : byCost) {
      double speed = design.speed().orElse(0);
      if (speed > fastest) {
        front.add(design);
        fastest = speed;
      }
    }
    return front;
  }
}
