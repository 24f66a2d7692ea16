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

  private static final Fields<Outcome> TIME =
      Fields.of(Outcome.class)
          .field("timeUs", Outcome::timeUs)
          .field("timeLowUs", Outcome::timeLowUs)
          .field("timeHighUs", Outcome::timeHighUs)
          .field("busbwGBps", Outcome::busbwGBps)
          .field("source", Outcome::source)
          .field("error", Outcome::error);

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
          .field("designs", SweepData::designs)
          .field("front", SweepData::front)
          .list("effects", SweepAnswer::effects, EFFECT)
          .field("excluded", SweepAnswer::excluded)
          .field("notes", SweepAnswer::notes);

  private SweepData() {}

  /** An answer as JSON, with all designs. */
  public static Answer json(SweepAnswer answer) {
    return Json.document("sweep", answer.notes(), RESULT, answer);
  }

  private static List<Integer> front(SweepAnswer answer) {
    return answer.front().stream().map(one -> answer.designs().indexOf(one) + 1).toList();
  }

  private static List<Object> designs(SweepAnswer answer) {
    return IntStream.range(0, answer.designs().size())
        .mapToObj(i -> design(i + 1).json(answer.designs().get(i)))
        .toList();
  }

  /** A design with its place, from 1. */
  private static Fields<ComparedDesign> design(int place) {
    return Fields.of(ComparedDesign.class)
        .field("place", design -> place)
        .field("values", ComparedDesign::values)
        .field("nics", ComparedDesign::nics)
        .field("nodePrice", ComparedDesign::nodePrice)
        .field("merit", ComparedDesign::merit)
        .field("speed", ComparedDesign::speed)
        .field("edits", ComparedDesign::edits)
        .field("times", SweepData::times);
  }

  private static List<Object> times(ComparedDesign design) {
    return IntStream.range(0, design.outcomes().size())
        .mapToObj(
            i ->
                Fields.of(Outcome.class)
                    .field("variant", outcome -> design.keys().get(i))
                    .including(outcome -> outcome, TIME)
                    .json(design.outcomes().get(i)))
        .toList();
  }

  /** What differs between two variants as JSON. */
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
