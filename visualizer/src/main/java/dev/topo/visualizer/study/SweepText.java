package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.PlainNumber;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.sweep.AxisEffect;
import dev.topo.simulator.sweep.ComparedDesign;
import dev.topo.simulator.sweep.RowDifference;
import dev.topo.simulator.sweep.Scenario;
import dev.topo.simulator.sweep.SweepAnswer;
import dev.topo.simulator.sweep.SweepSummary;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** The results of a sweep as text. */
public final class SweepText {
  /** Scenarios that have a column: more do not fit into a line. */
  private static final int MOST_COLUMNS = 6;

  private SweepText() {}

  /**
   * An answer.
   *
   * @param top most designs to list
   */
  public static Answer of(SweepAnswer answer, int top) {
    TextWriter text = new TextWriter();
    text.line(
        "%s: %s in %s, by %s%s",
        answer.name(),
        QuantityFormat.count(answer.designs().size(), "design"),
        QuantityFormat.count(answer.scenarios().size(), "scenario"),
        SweepSummary.words(answer.ranking().objective()),
        answer.excluded() == 0 ? "" : ", " + answer.excluded() + " more do not keep the limits");
    text.lines("  ! ", answer.notes());
    text.line("");
    text.lines("", SweepSummary.sentences(answer));
    if (answer.designs().isEmpty()) {
      return Answer.of(text.toString());
    }
    text.line("").line("Designs");
    text.table(designs(answer, top));
    if (answer.designs().size() > top) {
      text.line("  … %d more: %s", answer.designs().size() - top, Hint.MORE_DESIGNS);
    }
    if (!answer.ranked().isEmpty()) {
      text.line("").line("Pareto front: none is cheaper and faster");
      text.table(front(answer, top));
    }
    if (!answer.effects().isEmpty()) {
      text.line("").line("Which axis matters: time of the slowest value by that of the fastest");
      text.table(effects(answer));
    }
    return Answer.of(text.toString());
  }

  private static TextTable designs(SweepAnswer answer, int top) {
    boolean hasColumns = answer.scenarios().size() <= MOST_COLUMNS;
    List<Object> names = new ArrayList<>(List.of("#"));
    names.addAll(answer.axes());
    names.add(cost(answer));
    names.add("merit");
    names.add("speed");
    if (hasColumns) {
      answer.scenarios().stream().map(Scenario::label).forEach(names::add);
    }
    names.add("variant");
    TextTable table = TextTable.indented().row(names.toArray());
    int place = 0;
    for (ComparedDesign design :
        answer.designs().subList(0, Math.min(top, answer.designs().size()))) {
      place++;
      List<Object> row = new ArrayList<>();
      row.add(design.merit().isPresent() ? place : "-");
      answer.axes().forEach(axis -> row.add(String.valueOf(design.values().get(axis))));
      row.add(PlainNumber.of(answer.cost(design)).toPlainString());
      row.add(part(design.merit()));
      row.add(part(design.speed()));
      if (hasColumns) {
        design.outcomes().forEach(one -> row.add(QuantityFormat.time(one.timeUs())));
      }
      row.add(design.keys().isEmpty() ? "" : design.keys().get(0));
      if (!design.error().isEmpty()) {
        row.add(design.error());
      }
      table.row(row.toArray());
    }
    return table;
  }

  private static String cost(SweepAnswer answer) {
    return answer.hasPrices() ? "price" : "cards";
  }

  private static String part(OptionalDouble part) {
    return part.isPresent() ? TextWriter.format("%.3f", part.getAsDouble()) : "-";
  }

  private static TextTable front(SweepAnswer answer, int top) {
    List<Object> names = new ArrayList<>(answer.axes());
    names.add(cost(answer));
    names.add("speed");
    TextTable table = TextTable.indented().row(names.toArray());
    answer.front().stream()
        .limit(top)
        .forEach(
            design -> {
              List<Object> row = new ArrayList<>();
              answer.axes().forEach(axis -> row.add(String.valueOf(design.values().get(axis))));
              row.add(PlainNumber.of(answer.cost(design)).toPlainString());
              row.add(part(design.speed()));
              table.row(row.toArray());
            });
    return table;
  }

  private static TextTable effects(SweepAnswer answer) {
    TextTable table = TextTable.indented().header("axis,mean,most,where,most often fastest");
    for (AxisEffect effect : answer.effects()) {
      table.row(
          effect.axis(),
          TextWriter.format("%.2f", effect.meanFactor()),
          TextWriter.format("%.2f", effect.mostFactor()),
          effect.most().label(),
          effect.fastest());
    }
    return table;
  }

  /** What differs between two variants. */
  public static Answer of(RowDifference difference) {
    TextWriter text = new TextWriter();
    text.line("%s -> %s", difference.from(), difference.to());
    if (difference.values().isEmpty()) {
      text.line("  no axis differs");
    }
    difference
        .values()
        .forEach(value -> text.line("  %s: %s -> %s", value.axis(), value.from(), value.to()));
    text.line(
        "  both: %s",
        difference.common().entrySet().stream()
            .map(one -> one.getKey() + " " + one.getValue())
            .collect(Collectors.joining(", ")));
    TextTable table = TextTable.indented().header("call,time,,by,");
    for (RowDifference.Call call : difference.calls()) {
      table.row(
          call.question(),
          QuantityFormat.time(call.from().timeUs()),
          "-> " + QuantityFormat.time(call.to().timeUs()) + change(call),
          by(call.from().algorithm(), call.from().protocol(), call.from().error()),
          call.isSameChoice()
              ? ""
              : "-> " + by(call.to().algorithm(), call.to().protocol(), call.to().error()));
    }
    text.table(table);
    return Answer.of(text.toString());
  }

  private static String change(RowDifference.Call call) {
    return call.change().isPresent()
        ? " (" + QuantityFormat.change(call.change().getAsDouble(), 1) + ")"
        : "";
  }

  private static String by(String algorithm, String protocol, String error) {
    if (!error.isEmpty()) {
      return error;
    }
    return algorithm.isEmpty() ? protocol : algorithm + "/" + protocol;
  }
}
