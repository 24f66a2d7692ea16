package dev.topo.visualizer.times;

import dev.topo.model.Labels;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.calibration.NamedValue.FittedConstant;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.BasisFooter;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The constants that predicted times are based on, with unit and meaning: those of one GPU
 * generation, those of all generations, and those of networks.
 *
 * @param machines the calibrations of machines
 * @param networks the calibrations of networks
 */
public record ConstantList(List<Calibration> machines, List<NetworkCalibration> networks) {
  private static final String NVSWITCH_SUFFIX = "-nvswitch";

  /** What a constant applies to. */
  private enum Scope {
    GENERATION("of a generation"),
    ALL("of all generations"),
    NETWORK("of a network");

    private final String heading;

    Scope(String heading) {
      this.heading = heading;
    }

    String label() {
      return Labels.of(this);
    }
  }

  private record Value(String calibration, double value) {}

  private record Line(FittedConstant constant, Scope scope, List<Value> values) {}

  private static final Fields<Line> LINE =
      Fields.of(Line.class)
          .field("name", line -> line.constant.label())
          .field("unit", line -> line.constant.unit())
          .field("meaning", line -> line.constant.meaning())
          .field("scope", line -> line.scope.label())
          .components("values");

  private record Origin(String name, String origin) {}

  private static final Fields<ConstantList> LIST =
      Fields.of(ConstantList.class)
          .field("calibrations", ConstantList::origins)
          .list("constants", ConstantList::lines, LINE);

  public ConstantList {
    machines = List.copyOf(machines);
    networks = List.copyOf(networks);
  }

  private List<Origin> origins() {
    List<Origin> origins = new ArrayList<>();
    machines.forEach(machine -> origins.add(new Origin(machine.name(), machine.origin())));
    networks.forEach(network -> origins.add(new Origin(network.name(), network.origin())));
    return origins;
  }

  private List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    for (Scope scope :
        machines.isEmpty() ? List.<Scope>of() : List.of(Scope.GENERATION, Scope.ALL)) {
      for (Constant constant : Constant.values()) {
        if (Constant.OF_GENERATION.contains(constant) == (scope == Scope.GENERATION)) {
          lines.add(
              new Line(
                  constant,
                  scope,
                  machines.stream()
                      .map(machine -> new Value(machine.name(), machine.value(constant)))
                      .toList()));
        }
      }
    }
    if (!networks.isEmpty()) {
      Arrays.stream(NetworkConstant.values())
          .map(
              constant ->
                  new Line(
                      constant,
                      Scope.NETWORK,
                      networks.stream()
                          .map(network -> new Value(network.name(), network.value(constant)))
                          .toList()))
          .forEach(lines::add);
    }
    return lines;
  }

  /**
   * Returns the constants of the given calibrations, or of all that ship with topo if none is
   * given.
   */
  public static ConstantList of(
      Optional<Calibration> machine, Optional<NetworkCalibration> network) {
    return machine.isEmpty() && network.isEmpty()
        ? new ConstantList(CalibrationFile.shipped(), NetworkFile.shipped())
        : new ConstantList(machine.stream().toList(), network.stream().toList());
  }

  /** Returns the list as JSON. */
  public Answer json() {
    return Json.document("constants", LIST, this);
  }

  /** Returns a table for each scope, and what the calibrations are based on. */
  public Answer text() {
    List<Line> lines = lines();
    String counts =
        Arrays.stream(Scope.values())
            .filter(scope -> count(lines, scope) > 0)
            .map(scope -> count(lines, scope) + " constants " + scope.heading)
            .collect(Collectors.joining(", "));
    TextWriter out = new TextWriter().line("Times rest on %s.".formatted(counts));
    for (Scope scope : Scope.values()) {
      List<Line> ofScope = lines.stream().filter(line -> line.scope == scope).toList();
      if (!ofScope.isEmpty()) {
        out.line("").table(table(scope, ofScope));
      }
    }
    if (machines.size() > 1) {
      out.line(
          "on other generations than %s, those of LL and LL128 are in proportion to load.ll and load.ll128",
          machines.get(0).name());
    }
    List<String> basis =
        origins().stream().map(origin -> "%s: %s".formatted(origin.name, origin.origin)).toList();
    BasisFooter.write(out, basis, true);
    return Answer.of(out);
  }

  private static long count(List<Line> lines, Scope scope) {
    return lines.stream().filter(line -> line.scope == scope).count();
  }

  private static TextTable table(Scope scope, List<Line> lines) {
    // The constants of all generations are the same in each.
    int columns = scope == Scope.ALL ? 1 : lines.get(0).values.size();
    List<Value> shown = lines.get(0).values.subList(0, columns);
    Function<Value, String> name =
        value -> scope == Scope.ALL ? "value" : value.calibration.replace(NVSWITCH_SUFFIX, "");
    TextTable table =
        TextTable.atMargin()
            .header(
                "%s,unit,%s,meaning"
                    .formatted(scope.heading, String.join(",", shown.stream().map(name).toList())));
    for (Line line : lines) {
      List<Object> cells = new ArrayList<>(List.of(line.constant.label(), line.constant.unit()));
      line.values.subList(0, columns).forEach(value -> cells.add(number(value.value)));
      cells.add(line.constant.meaning());
      table.row(cells.toArray());
    }
    return table;
  }

  private static String number(double value) {
    String digits = TextWriter.format("%.3g", value);
    return digits.contains("e") ? TextWriter.format("%.0f", value) : digits;
  }
}
