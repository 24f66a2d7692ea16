package dev.topo.visualizer.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.topo.inspect.edit.Edit;
import dev.topo.model.PathType;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.Pattern;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.variant.GainReason;
import dev.topo.simulator.variant.JobFailure;
import dev.topo.simulator.variant.PathComparison;
import dev.topo.simulator.variant.PathComparison.PathChange;
import dev.topo.simulator.variant.Score;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.simulator.variant.WhatIfReport.VariantOutcome;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A job before and after edits as data: {@code before}, and {@code variants[]} as requested. */
public final class WhatIfJson {
  private record WhatIf(
      JobSummary job, String rankedBy, OutcomeEntry before, List<Variant> variants) {}

  private record OutcomeEntry(
      int rank,
      @JsonUnwrapped Score score,
      List<Graph> graphs,
      Optional<String> calibration,
      List<CallEntry> calls) {}

  /** Has either an outcome and its changed paths, or why NCCL gives up on it. */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  private record Variant(
      String name,
      List<String> edits,
      @JsonUnwrapped @Nullable OutcomeEntry outcome,
      Optional<List<PathChange>> pathChanges,
      Optional<String> gainReason,
      Optional<String> ncclGivesUp) {}

  /** A graph without its channels. */
  record Graph(
      GraphKind kind,
      Pattern pattern,
      int nChannels,
      float bwIntra,
      float bwInter,
      double bandwidthGBps,
      PathType typeIntra,
      PathType typeInter,
      int crossNic) {
    static Graph of(ChannelGraph graph, double bandwidthGBps) {
      return new Graph(
          graph.kind(),
          graph.pattern(),
          graph.nChannels(),
          graph.bwIntra(),
          graph.bwInter(),
          bandwidthGBps,
          graph.typeIntra(),
          graph.typeInter(),
          graph.crossNic());
    }
  }

  /** Algorithm and all that follow are absent where NCCL refuses the call. */
  private record CallEntry(
      Operation collective,
      long bytes,
      Optional<Algorithm> algorithm,
      Optional<Protocol> protocol,
      Optional<Integer> channels,
      Optional<Integer> launchedChannels,
      Optional<Double> timeUs,
      Optional<Double> busbwGBps,
      Optional<Prediction.Source> source) {}

  private WhatIfJson() {}

  /** All of it. */
  public static Answer of(WhatIfReport report) {
    List<WhatIfOutcome> ranked = report.ranked();
    List<Integer> places = report.places();
    return Json.document(
        "whatif",
        new WhatIf(
            JobSummary.of(report.job(), report.before().result().connection()),
            report.ranking().label(),
            outcome(report, report.before(), places.get(ranked.indexOf(report.before()))),
            report.variants().stream()
                .map(variant -> variant(report, variant, ranked, places))
                .toList()));
  }

  private static Variant variant(
      WhatIfReport report,
      VariantOutcome variant,
      List<WhatIfOutcome> ranked,
      List<Integer> places) {
    Optional<WhatIfOutcome> outcome = variant.outcome();
    return new Variant(
        variant.variant().name(),
        variant.variant().edits().stream().map(Edit::text).toList(),
        outcome
            .map(after -> outcome(report, after, places.get(ranked.indexOf(after))))
            .orElse(null),
        outcome.map(after -> PathComparison.compare(report.before(), after).changes()),
        outcome.flatMap(after -> GainReason.ofGain(report.before(), after, report.calls())),
        variant.failure().map(failure -> JobFailure.of(failure).text()));
  }

  private static OutcomeEntry outcome(WhatIfReport report, WhatIfOutcome outcome, int rank) {
    return new OutcomeEntry(
        rank,
        outcome.score(report.mainCall()),
        Arrays.stream(GraphKind.values())
            .filter(kind -> outcome.graph(kind).nChannels() > 0)
            .map(kind -> Graph.of(outcome.graph(kind), outcome.bandwidthGBps(kind)))
            .toList(),
        outcome.calibration().map(Calibration::name),
        report.calls().stream().map(call -> call(outcome, call)).toList());
  }

  private static CallEntry call(WhatIfOutcome outcome, Call call) {
    Optional<Prediction> prediction = outcome.prediction(call);
    return new CallEntry(
        call.operation(),
        call.sizeBytes(),
        prediction.flatMap(Prediction::tunedAlgorithm),
        prediction.map(Prediction::protocol),
        prediction.map(Prediction::mostChannels),
        prediction.map(Prediction::channels),
        prediction.map(Prediction::timeUs),
        prediction.map(Prediction::busbwGBps),
        prediction.map(Prediction::source));
  }
}
