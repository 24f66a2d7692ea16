package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.PlainNumber;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.sweep.ComparedDesign;
import dev.topo.simulator.sweep.EqualDesigns;
import dev.topo.simulator.sweep.ResultFolder;
import dev.topo.simulator.sweep.ResultRow.Outcome;
import dev.topo.simulator.sweep.RowDifference;
import dev.topo.simulator.sweep.Scenario;
import dev.topo.simulator.sweep.SweepAnswer;
import dev.topo.simulator.sweep.SweepSummary;
import dev.topo.visualizer.report.SweepPage;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.BasisFooter;
import dev.topo.visualizer.view.CompactTable;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** The results of a sweep as text, JSON and CSV. */
public final class SweepOutput {
  /** Number of scenarios with a column of their own; more do not fit on a line. */
  private static final int MAX_COLUMNS_VERBOSE = 6;

  /** Number of scenario columns that fit on a screen beside the others. */
  private static final int MAX_COLUMNS = 1;

  /**
   * Length of the prefix of a variant key that is shown; the comparison of two variants accepts
   * such prefixes.
   */
  private static final int KEY_LENGTH = 8;

  private static final Fields<Time> TIME =
      Fields.of(Time.class)
          .components("variant")
          .field("timeUs", time -> time.outcome.timeUs())
          .field("timeLowUs", time -> time.outcome.timeLowUs())
          .field("timeHighUs", time -> time.outcome.timeHighUs())
          .field("busbwGBps", time -> time.outcome.busbwGBps())
          .field("gpuMemoryBytes", time -> time.outcome.gpuBytes())
          .field("source", time -> time.outcome.source())
          .field("error", time -> time.outcome.error());

  private static final Fields<ComparedDesign> DESIGN =
      Fields.of(ComparedDesign.class)
          .components("values", "nics", "nodePrice", "merit", "speed", "edits")
          .list("times", Time::of, TIME);

  private static final Fields<Placed> PLACED =
      Fields.of(Placed.class).components("place").including(Placed::design, DESIGN);

  private static final Fields<RowDifference.Call> CALL =
      Fields.of(RowDifference.Call.class)
          .components("question")
          .field("fromUs", call -> call.from().timeUs())
          .field("toUs", call -> call.to().timeUs())
          .field("change", RowDifference.Call::change);

  private static final Fields<RowDifference> DIFFERENCE =
      Fields.of(RowDifference.class)
          .components("from", "to", "values", "common")
          .list("calls", RowDifference::calls, CALL);

  private static final Fields<SweepAnswer> RESULT =
      Fields.of(SweepAnswer.class)
          .components("name")
          .field("objective", answer -> answer.ranking().objective().label())
          .field("priced", SweepAnswer::hasPrices)
          .field("verdict", SweepSummary::sentences)
          .components("axes", "scenarios")
          .list("designs", Placed::of, PLACED)
          .field("front", SweepOutput::front)
          .list("effects", SweepAnswer::effects, SweepPage.EFFECT.fields())
          .components("excluded");

  /** The time of a design in one scenario. */
  private record Time(String variant, Outcome outcome) {
    static List<Time> of(ComparedDesign design) {
      return IntStream.range(0, design.outcomes().size())
          .mapToObj(i -> new Time(design.keys().get(i), design.outcomes().get(i)))
          .toList();
    }
  }

  /** A design with its place in the ranking, from 1. */
  private record Placed(int place, ComparedDesign design) {
    static List<Placed> of(SweepAnswer answer) {
      return IntStream.range(0, answer.designs().size())
          .mapToObj(i -> new Placed(i + 1, answer.designs().get(i)))
          .toList();
    }
  }

  private SweepOutput() {}

  /** Returns an answer as JSON, with all designs. */
  public static Answer json(SweepAnswer answer) {
    return Json.document("sweep", answer.notes(), RESULT, answer);
  }

  private static List<Integer> front(SweepAnswer answer) {
    return answer.front().stream().map(design -> answer.designs().indexOf(design) + 1).toList();
  }

  /** Returns the differences between two variants as JSON. */
  public static Answer json(RowDifference difference) {
    return Json.document("sweep-diff", DIFFERENCE, difference);
  }

  /** Returns all rows of the results as one CSV table, part by part. */
  public static Answer csv(ResultFolder folder) {
    return out -> {
      boolean isFirst = true;
      for (int part : folder.parts()) {
        folder.copy(part, isFirst, out);
        isFirst = false;
      }
    };
  }

  /**
   * Returns an answer as text.
   *
   * @param top the maximum number of designs to list
   * @param isVerbose whether to use all columns that fit on a line, and to state everything that
   *     the times are based on
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
      BasisFooter.write(text, answer.notes(), isVerbose);
      return Answer.of(text);
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
      text.table(SweepPage.EFFECT.shown(answer.effects()));
    }
    BasisFooter.write(text, answer.notes(), isVerbose);
    return Answer.of(text);
  }

  private static CompactTable designs(
      SweepAnswer answer, List<EqualDesigns> shown, boolean isVerbose) {
    int columns = isVerbose ? MAX_COLUMNS_VERBOSE : MAX_COLUMNS;
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
      row.add(fraction(design.merit()));
      row.add(fraction(design.speed()));
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

  /** A variant key; unless verbose, only the prefix that tells variants apart. */
  private static String key(String key, boolean isVerbose) {
    return isVerbose ? key : key.substring(0, Math.min(KEY_LENGTH, key.length()));
  }

  private static String cost(SweepAnswer answer) {
    return answer.hasPrices() ? "price" : "cards";
  }

  private static String fraction(OptionalDouble fraction) {
    return fraction.isPresent() ? TextWriter.format("%.3f", fraction.getAsDouble()) : "-";
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
              row.add(fraction(design.speed()));
              table.row(row.toArray());
            });
    return table;
  }

  /** Returns the differences between two variants as text. */
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
        QuantityFormat.joined(
            ", ",
            difference.common().entrySet(),
            entry -> entry.getKey() + " " + entry.getValue()));
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
    return Answer.of(text);
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
