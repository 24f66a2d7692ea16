package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.PlainNumber;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.sweep.AxisEffect;
import dev.topo.simulator.sweep.ComparedDesign;
import dev.topo.simulator.sweep.EqualDesigns;
import dev.topo.simulator.sweep.RowDifference;
import dev.topo.simulator.sweep.Scenario;
import dev.topo.simulator.sweep.SweepAnswer;
import dev.topo.simulator.sweep.SweepSummary;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Basis;
import dev.topo.visualizer.view.CompactTable;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** The results of a sweep as text. */
public final class SweepText {
  /** Scenarios that have a column: more do not fit into a line. */
  private static final int MOST_COLUMNS = 6;

  /** Scenarios whose columns fit beside the others on a screen. */
  private static final int FEW_COLUMNS = 1;

  /** The first characters of a key, which the comparison of two variants takes. */
  private static final int KEY_LENGTH = 8;

  private SweepText() {}

  /**
   * An answer.
   *
   * @param top most designs to list
   * @param isVerbose whether to show all that a line has room for, and all that the times rest on
   */
  public static Answer of(SweepAnswer answer, int top, boolean isVerbose) {
    TextWriter text = new TextWriter();
    text.line(
        "%s: %s in %s, by %s%s",
        answer.name(),
        QuantityFormat.count(answer.designs().size(), "design"),
        QuantityFormat.count(answer.scenarios().size(), "scenario"),
        SweepSummary.label(answer.ranking().objective()),
        answer.excluded() == 0 ? "" : ", " + answer.excluded() + " more do not keep the limits");
    List<String> sentences = SweepSummary.sentences(answer);
    text.lines("", sentences.subList(1, sentences.size()));
    if (answer.designs().isEmpty()) {
      Basis.write(text, answer.notes(), isVerbose);
      return Answer.of(text.toString());
    }
    text.line("").line("Designs");
    List<EqualDesigns> designs = EqualDesigns.of(answer);
    designs(answer, designs.subList(0, Math.min(top, designs.size())), isVerbose).write(text);
    if (designs.size() > top) {
      text.line("  … %d more: %s", designs.size() - top, Hint.MORE_DESIGNS);
    }
    if (!answer.ranked().isEmpty()) {
      text.line("").line("Pareto front: none is cheaper and faster");
      text.table(front(answer, top));
    }
    if (!answer.effects().isEmpty()) {
      text.line("").line("Which axis matters: time of the slowest value by that of the fastest");
      text.table(effects(answer));
    }
    Basis.write(text, answer.notes(), isVerbose);
    return Answer.of(text.toString());
  }

  private static CompactTable designs(
      SweepAnswer answer, List<EqualDesigns> shown, boolean isVerbose) {
    int columns = isVerbose ? MOST_COLUMNS : FEW_COLUMNS;
    List<Scenario> scenarios =
        answer.scenarios().subList(0, Math.min(columns, answer.scenarios().size()));
    List<String> names = new ArrayList<>(List.of("#"));
    names.addAll(answer.axes());
    names.add(cost(answer));
    boolean hasMemory =
        answer.designs().stream().anyMatch(comparedDesign -> comparedDesign.gpuBytes().isPresent());
    if (hasMemory) {
      names.add("GPU memory");
    }
    names.add("merit");
    names.add("speed");
    scenarios.stream().map(Scenario::label).forEach(names::add);
    names.add("variant");
    names.add("");
    CompactTable table = new CompactTable(1 + answer.axes().size(), names);
    for (EqualDesigns equal : shown) {
      ComparedDesign design = equal.first();
      List<Object> row = new ArrayList<>();
      row.add(design.merit().isPresent() ? answer.designs().indexOf(design) + 1 : "-");
      answer.axes().forEach(axis -> row.add(equal.value(axis, answer.axes())));
      row.add(PlainNumber.of(answer.cost(design)).toPlainString());
      if (hasMemory) {
        row.add(
            design.gpuBytes().isPresent()
                ? QuantityFormat.size(design.gpuBytes().getAsLong())
                : "-");
      }
      row.add(part(design.merit()));
      row.add(part(design.speed()));
      design.outcomes().stream()
          .limit(scenarios.size())
          .forEach(outcome -> row.add(QuantityFormat.briefTime(outcome.timeUs())));
      row.add(design.keys().isEmpty() ? "" : key(design.keys().get(0), isVerbose));
      row.add(design.error().isEmpty() ? equals(equal.hidden(answer.axes())) : design.error());
      table.row(row.toArray());
    }
    return table;
  }

  private static String equals(int hidden) {
    return hidden == 0 ? "" : "and " + QuantityFormat.count(hidden, "equal design");
  }

  /** A key, or as much of it as tells variants apart. */
  private static String key(String key, boolean isVerbose) {
    return isVerbose ? key : key.substring(0, Math.min(KEY_LENGTH, key.length()));
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

  /** Differences between two variants. */
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
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", ")));
    TextTable table = TextTable.indented().header("call,time,,by,");
    for (RowDifference.Call call : difference.calls()) {
      table.row(
          call.question(),
          QuantityFormat.time(call.from().timeUs()),
          "-> " + QuantityFormat.time(call.to().timeUs()) + change(call),
          launchName(call.from().algorithm(), call.from().protocol(), call.from().error()),
          call.isSameChoice()
              ? ""
              : "-> " + launchName(call.to().algorithm(), call.to().protocol(), call.to().error()));
    }
    text.table(table);
    return Answer.of(text.toString());
  }

  private static String change(RowDifference.Call call) {
    return call.change().isPresent()
        ? " (" + QuantityFormat.change(call.change().getAsDouble(), 1) + ")"
        : "";
  }

  private static String launchName(String algorithm, String protocol, String error) {
    if (!error.isEmpty()) {
      return error;
    }
    return algorithm.isEmpty() ? protocol : algorithm + "/" + protocol;
  }
}
