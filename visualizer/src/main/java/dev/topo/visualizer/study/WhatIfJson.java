package dev.topo.visualizer.study;

import dev.topo.inspect.edit.Edit;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.operation.Call;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.variant.ChangedDevices;
import dev.topo.simulator.variant.GainReason;
import dev.topo.simulator.variant.JobFailure;
import dev.topo.simulator.variant.PathComparison;
import dev.topo.simulator.variant.Score;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.simulator.variant.WhatIfReport.VariantOutcome;
import dev.topo.visualizer.structure.MemoryChange;
import dev.topo.visualizer.times.PredictionOutput;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.Arrays;
import java.util.List;

/**
 * A job before and after edits as JSON: {@code before}, and {@code variants[]} in the order
 * requested.
 */
public final class WhatIfJson {
  static final Fields<Score> SCORE = Fields.ofRecord(Score.class);

  /** The prediction for a call; all fields are null if NCCL refuses the call. */
  private static final Fields<Prediction> PREDICTION =
      Fields.of(Prediction.class)
          .field("algorithm", Prediction::tunedAlgorithm)
          .field("protocol", Prediction::protocol)
          .field("channels", Prediction::mostChannels)
          .field("launchedChannels", Prediction::channels)
          .field("timeUs", Prediction::timeUs)
          .field("timeLowUs", Prediction::shortestUs)
          .field("timeHighUs", Prediction::longestUs)
          .field("busbwGBps", Prediction::busbwGBps)
          .field("source", Prediction::source);

  private final WhatIfReport report;
  private final List<WhatIfOutcome> ranked;
  private final List<Integer> places;

  private WhatIfJson(WhatIfReport report) {
    this.report = report;
    this.ranked = report.ranked();
    this.places = report.places();
  }

  /** Returns the JSON document of a report. */
  public static Answer of(WhatIfReport report) {
    return Json.document("whatif", new WhatIfJson(report).fields(), report);
  }

  private Fields<WhatIfReport> fields() {
    return Fields.of(WhatIfReport.class)
        .field("job", report -> JobSummary.of(report.job(), report.before().connection()))
        .field("rankedBy", report -> report.ranking().label())
        .object("before", WhatIfReport::before, outcome())
        .field("variants", report -> report.variants().stream().map(this::variant).toList());
  }

  /** A variant, with either its outcome and changed paths or the reason why NCCL gives up on it. */
  private Object variant(VariantOutcome variant) {
    Fields<VariantOutcome> edits =
        Fields.of(VariantOutcome.class)
            .field("name", outcome -> outcome.variant().name())
            .field("edits", outcome -> outcome.variant().edits().stream().map(Edit::text).toList())
            .field("editedNodes", outcome -> report.nodes().edited())
            .field("ofNodes", outcome -> report.nodes().all());
    Fields<VariantOutcome> fields =
        variant
            .outcome()
            .map(
                after ->
                    edits
                        .including(outcome -> after, outcome())
                        .field(
                            "devices",
                            outcome ->
                                ChangedDevices.between(
                                    report.before().machine().topology(),
                                    after.machine().topology()))
                        .field(
                            "pathChanges",
                            outcome -> PathComparison.compare(report.before(), after).changes())
                        .optional(
                            "gainReason",
                            outcome -> GainReason.ofGain(report.before(), after, report.calls())))
            .orElseGet(
                () ->
                    edits.optional(
                        "ncclGivesUp",
                        outcome ->
                            outcome.failure().map(failure -> JobFailure.of(failure).text())));
    return fields.json(variant);
  }

  private Fields<WhatIfOutcome> outcome() {
    return Fields.of(WhatIfOutcome.class)
        .field("rank", outcome -> places.get(ranked.indexOf(outcome)))
        .including(outcome -> outcome.score(report.mainCall()), SCORE)
        .field("graphs", WhatIfJson::graphs)
        .field("calibration", outcome -> outcome.calibration().map(Calibration::name))
        .field("memory", outcome -> outcome.memory(report.calls()).map(MemoryChange.MEMORY::json))
        .field("calls", outcome -> calls(outcome).json(report.calls()));
  }

  private static List<Object> graphs(WhatIfOutcome outcome) {
    return Arrays.stream(GraphKind.values())
        .filter(kind -> outcome.graph(kind).nChannels() > 0)
        .map(kind -> graph(outcome.bandwidthGBps(kind)).json(outcome.graph(kind)))
        .toList();
  }

  /** The JSON fields of a graph without its channels. */
  static Fields<ChannelGraph> graph(double bandwidthGBps) {
    return Fields.of(ChannelGraph.class)
        .components("kind", "pattern")
        .field("nChannels", ChannelGraph::nChannels)
        .components("bwIntra", "bwInter")
        .field("bandwidthGBps", graph -> bandwidthGBps)
        .components("typeIntra", "typeInter", "crossNic");
  }

  private static Fields<Call> calls(WhatIfOutcome outcome) {
    return PredictionOutput.CALL
        .includingOptional(outcome::prediction, PREDICTION)
        .optional("refusal", outcome.result().predictor()::obstacle);
  }
}
