package dev.topo.simulator.calibration;

import dev.topo.model.io.ResourceTable;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The constants of nodes in jobs of several. The network's constants were fitted beside those that
 * a generation had before its own runs on one node were known; a network that is fitted anew beside
 * the new ones needs this table no longer.
 */
public final class BetweenNodes {
  /** A line of the table: a constant that differs from the base, or that none does. */
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

  /** The calibration with the constants that hold between nodes; itself where none differ. */
  public static Calibration of(Calibration calibration) {
    List<Line> lines = LINES.get(calibration.name());
    if (lines == null || !CalibrationFile.isShipped(calibration)) {
      return calibration;
    }
    Calibration base = CalibrationFile.shipped(lines.get(0).base).orElseThrow();
    Map<Constant, Double> values = new EnumMap<>(base.values());
    lines.forEach(line -> values.putAll(line.values));
    Constant.OF_NVLS_TREE.forEach(of -> values.put(of, calibration.value(of)));
    return calibration.with(values);
  }
}
