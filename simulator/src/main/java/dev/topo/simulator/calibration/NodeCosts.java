package dev.topo.simulator.calibration;

import dev.topo.model.io.ResourceTable;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The {@link NodeCost}s and where they come from.
 *
 * @param origin on which machine they were measured, when, with which NCCL
 * @param machine the kind of machine, as {@link CalibrationChoice} names it
 * @param values every cost in its unit
 */
public record NodeCosts(String origin, String machine, Map<NodeCost, Double> values) {
  /** GPUs of the machine that they were measured on. */
  public static final int MEASURED_GPUS = 2;

  private static final String FILE = "node-costs.txt";
  private static final NodeCosts SHIPPED = read();

  public NodeCosts {
    values = MeasuredConstant.complete(NodeCost.class, values, "");
  }

  /** Those that come with topo. */
  public static NodeCosts shipped() {
    return SHIPPED;
  }

  /** A cost in its unit. */
  public double value(NodeCost cost) {
    return Objects.requireNonNull(values.get(cost));
  }

  public NodeCosts with(NodeCost cost, double value) {
    Map<NodeCost, Double> changed = new EnumMap<>(values);
    changed.put(cost, value);
    return new NodeCosts(origin, machine, changed);
  }

  private static NodeCosts read() {
    Map<NodeCost, Double> values = new EnumMap<>(NodeCost.class);
    for (NodeCost cost : NodeCost.values()) {
      List<String> words = ResourceTable.rows(NodeCosts.class, FILE, cost.label()).get(0);
      if (!words.get(1).equals(cost.unit())) {
        throw new IllegalStateException(cost.label() + " is in " + words.get(1));
      }
      values.put(cost, Double.parseDouble(words.get(0)));
    }
    return new NodeCosts(text("origin"), text("machine"), values);
  }

  private static String text(String kind) {
    return String.join(" ", ResourceTable.rows(NodeCosts.class, FILE, kind).get(0));
  }
}
