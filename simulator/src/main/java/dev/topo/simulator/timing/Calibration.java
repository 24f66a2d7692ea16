package dev.topo.simulator.timing;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * The constants of a kind of hardware and where they come from.
 *
 * @param name short name, as in {@code h200-nvswitch}
 * @param origin on which machine they were measured, when, with which NCCL
 * @param values every constant, above 0
 */
public record Calibration(String name, String origin, Map<Constant, Double> values) {
  /** Checks that every constant is there and positive, and copies them. */
  public Calibration {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(origin, "origin");
    Map<Constant, Double> copy = new EnumMap<>(Constant.class);
    copy.putAll(values);
    for (Constant constant : Constant.values()) {
      Double value = copy.get(constant);
      if (value == null || !(value > 0) || value.isInfinite()) {
        throw new IllegalArgumentException(
            "calibration " + name + ": " + constant.label() + " is " + value + ": expected > 0");
      }
    }
    values = Collections.unmodifiableMap(copy);
  }

  /** The values from which a fit starts. */
  public static Calibration typical() {
    Map<Constant, Double> values = new EnumMap<>(Constant.class);
    for (Constant constant : Constant.values()) {
      values.put(constant, constant.typical());
    }
    return new Calibration("typical", "guesses for sm 90, not measured", values);
  }

  /** A constant in its unit. */
  public double value(Constant constant) {
    return Objects.requireNonNull(values.get(constant));
  }

  /** The same under another name, with other values of some constants. */
  public Calibration with(String newName, String newOrigin, Map<Constant, Double> changed) {
    Map<Constant, Double> all = new EnumMap<>(values);
    all.putAll(changed);
    return new Calibration(newName, newOrigin, all);
  }
}
