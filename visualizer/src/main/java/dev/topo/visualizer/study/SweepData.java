package dev.topo.visualizer.study;

import dev.topo.simulator.sweep.AxisEffect;
import dev.topo.simulator.sweep.ComparedDesign;
import dev.topo.simulator.sweep.ResultFolder;
import dev.topo.simulator.sweep.ResultRow.Outcome;
import dev.topo.simulator.sweep.RowDifference;
import dev.topo.simulator.sweep.SweepAnswer;
import dev.topo.simulator.sweep.SweepSummary;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.stream.IntStream;

/** The results of a sweep as JSON and CSV. */
public final class SweepData {
  private static final Fields<AxisEffect> EFFECT =
      Fields.of(AxisEffect.class)
          .field("axis", AxisEffect::axis)
          .field("meanFactor", AxisEffect::meanFactor)
          .field("mostFactor", AxisEffect::mostFactor)
          .field("most", AxisEffect::most)
          .field("fastest", AxisEffect::fastest);

  private static final Fields<Time> TIME =
      Fields.of(Time.class)
          .field("variant", Time::variant)
          .field("timeUs", time -> time.outcome.timeUs())
          .field("timeLowUs", time -> time.outcome.timeLowUs())
          .field("timeHighUs", time -> time.outcome.timeHighUs())
          .field("busbwGBps", time -> time.outcome.busbwGBps())
          .field("gpuMemoryBytes", time -> time.outcome.gpuBytes())
          .field("source", time -> time.outcome.source())
          .field("error", time -> time.outcome.error());

  private static final Fields<ComparedDesign> DESIGN =
      Fields.of(ComparedDesign.class)
          .field("values", ComparedDesign::values)
          .field("nics", ComparedDesign::nics)
          .field("nodePrice", ComparedDesign::nodePrice)
          .field("merit", ComparedDesign::merit)
          .field("speed", ComparedDesign::speed)
          .field("edits", ComparedDesign::edits)
          .list("times", Time::of, TIME);

  private static final Fields<Placed> PLACED =
      Fields.of(Placed.class).field("place", Placed::place).including(Placed::design, DESIGN);

  private static final Fields<RowDifference.Call> CALL =
      Fields.of(RowDifference.Call.class)
          .field("question", RowDifference.Call::question)
          .field("fromUs", call -> call.from().timeUs())
          .field("toUs", call -> call.to().timeUs())
          .field("change", RowDifference.Call::change);

  private static final Fields<RowDifference> DIFFERENCE =
      Fields.of(RowDifference.class)
          .field("from", RowDifference::from)
          .field("to", RowDifference::to)
          .field("values", RowDifference::values)
          .field("common", RowDifference::common)
          .list("calls", RowDifference::calls, CALL);

  /** The notes are the caveats of the document, by the former name. */
  private static final Fields<SweepAnswer> RESULT =
      Fields.of(SweepAnswer.class)
          .field("name", SweepAnswer::name)
          .field("objective", answer -> answer.ranking().objective().label())
          .field("priced", SweepAnswer::hasPrices)
          .field("verdict", SweepSummary::sentences)
          .field("axes", SweepAnswer::axes)
          .field("scenarios", SweepAnswer::scenarios)
          .list("designs", Placed::of, PLACED)
          .field("front", SweepData::front)
          .list("effects", SweepAnswer::effects, EFFECT)
          .field("excluded", SweepAnswer::excluded)
          .field("notes", SweepAnswer::notes);

  /** The time of a design in a scenario. */
  private record Time(String variant, Outcome outcome) {
    static List<Time> of(ComparedDesign design) {
      return IntStream.range(0, design.outcomes().size())
          .mapToObj(i -> new Time(design.keys().get(i), design.outcomes().get(i)))
          .toList();
    }
  }

  /** A design with its place, from 1. */
  private record Placed(int place, ComparedDesign design) {
    static List<Placed> of(SweepAnswer answer) {
      return IntStream.range(0, answer.designs().size())
          .mapToObj(i -> new Placed(i + 1, answer.designs().get(i)))
          .toList();
    }
  }

  private SweepData() {}

  /** An answer as JSON, with all designs. */
  public static Answer json(SweepAnswer answer) {
    return Json.document("sweep", answer.notes(), RESULT, answer);
  }

  private static List<Integer> front(SweepAnswer answer) {
    return answer.front().stream().map(design -> answer.designs().indexOf(design) + 1).toList();
  }

  /** Differences between two variants as JSON. */
  public static Answer json(RowDifference difference) {
    return Json.document("sweep-diff", DIFFERENCE, difference);
  }

  /** All rows as one table, part by part. */
  public static Answer csv(ResultFolder folder) {
    return out -> {
      boolean isFirst = true;
      for (int part : folder.parts()) {
        folder.copy(part, isFirst, out);
        isFirst = false;
      }
    };
  }
}
