package dev.topo.visualizer.study;

import dev.topo.simulator.sweep.AxisEffect;
import dev.topo.simulator.sweep.ComparedDesign;
import dev.topo.simulator.sweep.ResultFolder;
import dev.topo.simulator.sweep.ResultRow.Outcome;
import dev.topo.simulator.sweep.RowDifference;
import dev.topo.simulator.sweep.Scenario;
import dev.topo.simulator.sweep.SweepAnswer;
import dev.topo.simulator.sweep.SweepSummary;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The results of a sweep as JSON and CSV. */
public final class SweepData {
  /**
   * The document.
   *
   * @param notes its caveats, by the former name
   */
  private record Result(
      String name,
      String objective,
      boolean priced,
      List<String> verdict,
      List<String> axes,
      List<Scenario> scenarios,
      List<Design> designs,
      List<Integer> front,
      List<Effect> effects,
      int excluded,
      List<String> notes) {}

  /** A design with its place, from 1. */
  private record Design(
      int place,
      Map<String, String> values,
      int nics,
      double nodePrice,
      OptionalDouble merit,
      OptionalDouble speed,
      String edits,
      List<Time> times) {}

  private record Time(
      String variant,
      OptionalDouble timeUs,
      OptionalDouble timeLowUs,
      OptionalDouble timeHighUs,
      OptionalDouble busbwGBps,
      String source,
      String error) {}

  private record Effect(
      String axis, double meanFactor, double mostFactor, Scenario most, String fastest) {}

  private record Difference(
      String from,
      String to,
      List<RowDifference.Value> values,
      Map<String, String> common,
      List<Call> calls) {}

  private record Call(
      String question, OptionalDouble fromUs, OptionalDouble toUs, OptionalDouble change) {}

  private SweepData() {}

  /** An answer as JSON, with all designs. */
  public static Answer json(SweepAnswer answer) {
    List<Design> designs = new ArrayList<>();
    for (ComparedDesign design : answer.designs()) {
      designs.add(design(designs.size() + 1, design));
    }
    return Json.document(
        "sweep",
        answer.notes(),
        new Result(
            answer.name(),
            answer.ranking().objective().label(),
            answer.hasPrices(),
            SweepSummary.sentences(answer),
            answer.axes(),
            answer.scenarios(),
            designs,
            answer.front().stream().map(one -> answer.designs().indexOf(one) + 1).toList(),
            answer.effects().stream().map(SweepData::effect).toList(),
            answer.excluded(),
            answer.notes()));
  }

  private static Effect effect(AxisEffect effect) {
    return new Effect(
        effect.axis(), effect.meanFactor(), effect.mostFactor(), effect.most(), effect.fastest());
  }

  private static Design design(int place, ComparedDesign design) {
    List<Time> times = new ArrayList<>();
    for (int i = 0; i < design.outcomes().size(); i++) {
      Outcome one = design.outcomes().get(i);
      times.add(
          new Time(
              design.keys().get(i),
              one.timeUs(),
              one.timeLowUs(),
              one.timeHighUs(),
              one.busbwGBps(),
              one.source(),
              one.error()));
    }
    return new Design(
        place,
        design.values(),
        design.nics(),
        design.nodePrice(),
        design.merit(),
        design.speed(),
        design.edits(),
        times);
  }

  /** What differs between two variants as JSON. */
  public static Answer json(RowDifference difference) {
    return Json.document(
        "sweep-diff",
        new Difference(
            difference.from(),
            difference.to(),
            difference.values(),
            difference.common(),
            difference.calls().stream()
                .map(
                    call ->
                        new Call(
                            call.question(),
                            call.from().timeUs(),
                            call.to().timeUs(),
                            call.change()))
                .toList()));
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
