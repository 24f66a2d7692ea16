package dev.topo.cli.output.change;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Json;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.whatif.PathChange;
import dev.topo.simulator.whatif.PathComparison;
import dev.topo.simulator.whatif.Score;
import dev.topo.simulator.whatif.VariantOutcome;
import dev.topo.simulator.whatif.WhatIfOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A job before and after edits as data: {@code before}, and {@code variants[]} as asked. */
public final class WhatIfJson {
  private WhatIfJson() {}

  /** All of it. */
  public static Answer of(WhatIfReport report) {
    List<WhatIfOutcome> ranked = report.ranked();
    List<Integer> places = report.places();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("machines", report.job());
    tree.put("nRanks", report.before().communicator().connection().nRanks());
    tree.put("nNodes", report.before().communicator().connection().nNodes());
    tree.put("rankedBy", WhatIfText.measure(report.ranking()));
    tree.put(
        "before", outcome(report, report.before(), places.get(ranked.indexOf(report.before()))));
    List<Object> variants = new ArrayList<>();
    for (VariantOutcome variant : report.variants()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("name", variant.variant().name());
      entry.put("edits", variant.variant().edits().stream().map(edit -> edit.text()).toList());
      if (variant.outcome().isPresent()) {
        WhatIfOutcome after = variant.outcome().get();
        entry.putAll(outcome(report, after, places.get(ranked.indexOf(after))));
        entry.put(
            "pathChanges",
            PathComparison.compare(report.before(), after).changes().stream()
                .map(WhatIfJson::pathChange)
                .toList());
      } else {
        entry.put("ncclGivesUp", variant.reason());
      }
      variants.add(entry);
    }
    tree.put("variants", variants);
    return Answer.of(Json.write(tree));
  }

  private static Map<String, Object> outcome(WhatIfReport report, WhatIfOutcome outcome, int rank) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("rank", rank);
    score(entry, outcome.score(report.mainCall()));
    List<Object> graphs = new ArrayList<>();
    for (GraphKind kind : GraphKind.values()) {
      if (outcome.graph(kind).nChannels() > 0) {
        graphs.add(graph(outcome.graph(kind), outcome.bandwidthGBps(kind)));
      }
    }
    entry.put("graphs", graphs);
    entry.put("calibration", outcome.calibration().map(c -> (Object) c.name()).orElse(Json.NULL));
    entry.put("calls", report.calls().stream().map(call -> call(outcome, call)).toList());
    return entry;
  }

  static void score(Map<String, Object> entry, Score score) {
    entry.put("ringGBps", Json.number((float) score.ringGBps()));
    entry.put("treeGBps", Json.number((float) score.treeGBps()));
    entry.put("busbwGBps", Json.number((float) score.busbwGBps()));
    entry.put("channels", score.channels());
  }

  static Map<String, Object> graph(ChannelGraph graph, double bandwidthGBps) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("graph", graph.kind().label());
    entry.put("pattern", graph.pattern().toString());
    entry.put("nChannels", graph.nChannels());
    entry.put("bwIntra", Json.number(graph.bwIntra()));
    entry.put("bwInter", Json.number(graph.bwInter()));
    entry.put("bandwidthGBps", Json.number((float) bandwidthGBps));
    entry.put("typeIntra", graph.typeIntra().toString());
    entry.put("typeInter", graph.typeInter().toString());
    entry.put("crossNic", graph.crossNic());
    return entry;
  }

  private static Map<String, Object> call(WhatIfOutcome outcome, CollectiveCall call) {
    Optional<Prediction> prediction = outcome.prediction(call);
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("collective", call.collective().label());
    entry.put("sizeBytes", call.sizeBytes());
    // A map takes null for what JSON writes as null: NCCL refuses the call.
    entry.put("algorithm", prediction.map(p -> (Object) p.algorithm().label()).orElse(Json.NULL));
    entry.put("protocol", prediction.map(p -> (Object) p.protocol().label()).orElse(Json.NULL));
    entry.put("channels", prediction.map(p -> (Object) p.channels()).orElse(Json.NULL));
    entry.put(
        "timeUs", prediction.map(p -> (Object) Json.number((float) p.timeUs())).orElse(Json.NULL));
    entry.put(
        "busbwGBps",
        prediction.map(p -> (Object) Json.number((float) p.busbwGBps())).orElse(Json.NULL));
    entry.put("source", prediction.map(p -> (Object) p.source().label()).orElse(Json.NULL));
    return entry;
  }

  private static Map<String, Object> pathChange(PathChange change) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("from", change.from());
    entry.put("to", change.to());
    entry.put("before", change.before().map(WhatIfJson::way).orElse(Json.NULL));
    entry.put("after", change.after().map(WhatIfJson::way).orElse(Json.NULL));
    return entry;
  }

  private static Object way(PathChange.Way way) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("type", way.type().toString());
    entry.put("bwGBps", Json.number(way.bwGBps()));
    entry.put("gdr", way.gdr());
    return entry;
  }
}
