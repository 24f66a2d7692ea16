package dev.topo.simulator.calibration;

import dev.topo.model.io.ResourceTable;
import dev.topo.simulator.calibration.NamedValue.MeasuredConstant;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Constants of a kind of hardware, with their origin.
 *
 * @param name short name, as in {@code h200-nvswitch}
 * @param origin machine, date and NCCL version of the measurements
 * @param measuredOn the measured runs
 * @param spread relative error that 90 % of the tried predictions do not exceed; 1 if none were
 *     tried
 * @param values value of every constant, above 0
 * @param published constants derived from busbw that others published, not from own measurements
 */
public record Calibration(
    String name,
    String origin,
    MeasuredOn measuredOn,
    double spread,
    Map<Constant, Double> values,
    Set<Constant> published) {
  /**
   * The measured runs on which a calibration is based.
   *
   * @param machines kinds of machines, as in {@code sm 90, NVSwitch}
   * @param gpus largest number of GPUs
   * @param largestBytes largest size of a call
   */
  public record MeasuredOn(Set<String> machines, int gpus, long largestBytes) {
    public MeasuredOn {
      machines = Collections.unmodifiableSet(new TreeSet<>(machines));
      if (gpus < 0 || largestBytes < 0) {
        throw new IllegalArgumentException(
            gpus + " GPUs, " + largestBytes + " bytes: expected >= 0");
      }
    }
  }

  public Calibration {
    if (!(spread > 0) || spread > 1) {
      throw new IllegalArgumentException(
          "calibration " + name + ": the spread is " + spread + ": expected above 0, up to 1");
    }
    values = MeasuredConstant.complete(Constant.class, values, "calibration " + name + ": ");
    Set<Constant> copy = EnumSet.noneOf(Constant.class);
    copy.addAll(published);
    published = Collections.unmodifiableSet(copy);
  }

  /**
   * The calibration with typical values, from which a fit starts. The values of NVLS have the order
   * of magnitude that others published.
   */
  public static Calibration typical() {
    return new Calibration(
        "typical",
        "guesses for sm 90, not measured",
        new MeasuredOn(Set.of(), 0, 0),
        1,
        Arrays.stream(Constant.values()).collect(Collectors.toMap(c -> c, Constant::typical)),
        Constant.OF_NVLS);
  }

  /** Value of a constant in its unit. */
  public double value(Constant constant) {
    return Objects.requireNonNull(values.get(constant));
  }

  /** This calibration with other values of some constants. */
  public Calibration with(Map<Constant, Double> changed) {
    Map<Constant, Double> merged = new EnumMap<>(values);
    merged.putAll(changed);
    return new Calibration(name, origin, measuredOn, spread, merged, published);
  }

  public Calibration named(String newName, String newOrigin, double newSpread) {
    return new Calibration(newName, newOrigin, measuredOn, newSpread, values, published);
  }

  public Calibration withMeasuredOn(MeasuredOn other) {
    return new Calibration(name, origin, other, spread, values, published);
  }

  public Calibration withPublished(Set<Constant> constants) {
    return new Calibration(name, origin, measuredOn, spread, values, constants);
  }

  /**
   * Constants of nodes in jobs of several nodes. The constants of networks were fitted together
   * with older constants of some GPU generations, before these had runs of their own on one node.
   * The table becomes obsolete once the networks are refitted with the new constants.
   */
  public static final class BetweenNodes {
    /**
     * A line of the table: a constant that differs from the base calibration, or only the names of
     * both calibrations if no constant differs.
     */
    private record Line(String calibration, String base, Map<Constant, Double> values) {
      private static Line parse(String text) {
        String[] cells = text.split(" +");
        return new Line(
            cells[0],
            cells[1],
            cells.length == 2
                ? Map.of()
                : Map.of(Constant.ofLabel(cells[2]).orElseThrow(), Double.parseDouble(cells[3])));
      }
    }

    private static final Map<String, List<Line>> LINES =
        ResourceTable.lines(BetweenNodes.class, "between-nodes.txt").stream()
            .map(Line::parse)
            .collect(Collectors.groupingBy(Line::calibration, HashMap::new, Collectors.toList()));

    private BetweenNodes() {}

    /** A calibration with the constants that apply in jobs of several nodes; the same if equal. */
    public static Calibration of(Calibration calibration) {
      List<Line> lines = LINES.get(calibration.name());
      if (lines == null || !CalibrationFile.isShipped(calibration)) {
        return calibration;
      }
      Calibration base = CalibrationFile.shipped(lines.get(0).base).orElseThrow();
      Map<Constant, Double> values = new EnumMap<>(base.values());
      lines.forEach(line -> values.putAll(line.values));
      Constant.OF_NVLS_TREE.forEach(constant -> values.put(constant, calibration.value(constant)));
      return calibration.with(values);
    }
  }
}
