package dev.topo.cli.output.change;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.TextTable;
import dev.topo.cli.output.graph.GraphsText;
import dev.topo.inspect.edit.Variant;
import dev.topo.model.MachineFormat;
import dev.topo.model.PrintfNumber;
import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.cost.CollectiveCall;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Prediction.Source;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.whatif.PathComparison;
import dev.topo.simulator.whatif.Score;
import dev.topo.simulator.whatif.WhatIfOutcome;
import dev.topo.simulator.whatif.WhatIfReport;
import dev.topo.simulator.whatif.WhatIfReport.VariantOutcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A job before and after edits as people read it; several variants as a list, the best first. */
public final class WhatIfText {
  /** Changes of busbw below this are none to people. */
  private static final double VISIBLE = 0.0005;

  private final WhatIfReport report;
  private final boolean verbose;
  private final StringBuilder out = new StringBuilder();

  /** What busbw rests on, and of which algorithms that is shown. */
  private final TreeSet<String> calibrations = new TreeSet<>();

  private final Map<Source, Set<String>> algorithms = new EnumMap<>(Source.class);

  private WhatIfText(WhatIfReport report, boolean verbose) {
    this.report = report;
    this.verbose = verbose;
  }

  /** One variant in detail; several ranked, and in detail as well if {@code verbose}. */
  public static Answer of(WhatIfReport report, boolean verbose) {
    WhatIfText text = new WhatIfText(report, verbose);
    boolean isOne = report.variants().size() == 1;
    text.heading();
    if (!isOne) {
      text.ranking();
    }
    for (VariantOutcome variant : report.variants()) {
      if (isOne || verbose) {
        text.detail(variant);
      }
    }
    text.sources();
    return Answer.of(text.out.toString());
  }

  private void heading() {
    int nodes = report.before().result().connection().nNodes();
    out.append(report.job()).append(": ");
    int ranks = report.before().result().connection().nRanks();
    out.append(QuantityFormat.count(ranks, "rank")).append(" on ");
    out.append(QuantityFormat.count(nodes, "node")).append('\n');
  }

  private void ranking() {
    List<WhatIfOutcome> ranked = report.ranked();
    List<Integer> places = report.places();
    List<List<String>> rows = new ArrayList<>();
    String call =
        report.mainCall().collective().label()
            + " "
            + QuantityFormat.size(report.mainCall().sizeBytes());
    rows.add(List.of("", "", "ring", "tree", "channels", call));
    for (int i = 0; i < ranked.size(); i++) {
      WhatIfOutcome outcome = ranked.get(i);
      rows.add(
          List.of(
              String.valueOf(places.get(i)),
              outcome.name(),
              product(outcome, GraphKind.RING),
              product(outcome, GraphKind.TREE),
              String.valueOf(outcome.result().connection().nChannels()),
              outcome.prediction(report.mainCall()).map(p -> shown(outcome, p)).orElse("refused")));
    }
    TextTable.append(out.append('\n'), rows);
    for (VariantOutcome variant : report.variants()) {
      if (variant.outcome().isEmpty()) {
        out.append("-  ").append(variant.variant().name()).append(": ");
        out.append(givesUp(variant)).append('\n');
      }
    }
    out.append('\n');
    for (VariantOutcome variant : report.variants()) {
      Variant edits = variant.variant();
      if (!edits.edits().isEmpty() && !edits.name().equals(edits.text())) {
        out.append(edits.name()).append(": ").append(edits.text()).append('\n');
      }
    }
  }

  private static String givesUp(VariantOutcome variant) {
    return "NCCL fails on this topology: " + variant.reason();
  }

  private void detail(VariantOutcome variant) {
    out.append("\nwhat if ").append(variant.variant().text()).append('\n');
    if (variant.outcome().isEmpty()) {
      out.append('\n').append(givesUp(variant)).append('\n');
      return;
    }
    WhatIfOutcome after = variant.outcome().get();
    graphs(after);
    paths(after);
    calls(after);
  }

  private void graphs(WhatIfOutcome after) {
    WhatIfOutcome before = report.before();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("", "before", "after", "change"));
    for (GraphKind kind : GraphKind.values()) {
      if (before.graph(kind).nChannels() + after.graph(kind).nChannels() > 0) {
        rows.add(
            List.of(
                kind.label(),
                graph(before, kind),
                graph(after, kind),
                percent(before.bandwidthGBps(kind), after.bandwidthGBps(kind))));
      }
    }
    rows.add(
        List.of(
            "channels",
            String.valueOf(before.result().connection().nChannels()),
            String.valueOf(after.result().connection().nChannels()),
            ""));
    TextTable.append(out.append('\n'), rows);
    String was = MachineFormat.summary(before.machine().topology());
    String is = MachineFormat.summary(after.machine().topology());
    if (!was.equals(is)) {
      out.append("\nmachine before: ").append(was).append('\n');
      out.append(after.isDeclared() ? "declared:       " : "machine after:  ");
      out.append(is).append('\n');
    }
  }

  private static String graph(WhatIfOutcome outcome, GraphKind kind) {
    ChannelGraph graph = outcome.graph(kind);
    if (graph.nChannels() == 0) {
      return "none";
    }
    if (graph.bwIntra() == GraphsText.FALLBACK_BW_GBPS) {
      return "none fits, GPUs in file order";
    }
    String types = graph.typeIntra().toString();
    if (outcome.crossesNetwork()) {
      types +=
          " " + graph.typeInter() + (graph.crossNic() == 0 ? "" : " crossNic " + graph.crossNic());
    }
    return product(outcome, kind) + " " + types;
  }

  /** Channels times bandwidth: {@code 8 x 48 = 384 GB/s}. */
  private static String product(WhatIfOutcome outcome, GraphKind kind) {
    return product(outcome.graph(kind), outcome.crossesNetwork(), outcome.bandwidthGBps(kind));
  }

  static String product(ChannelGraph graph, boolean crossesNetwork, double bandwidthGBps) {
    float bw = crossesNetwork ? graph.bwInter() : graph.bwIntra();
    return graph.nChannels()
        + " x "
        + PrintfNumber.general(bw)
        + " = "
        + PrintfNumber.general((float) bandwidthGBps)
        + " GB/s";
  }

  private static String percent(double before, double after) {
    if (before <= 0 || after <= 0) {
      return "";
    }
    double change = after / before - 1;
    return Math.abs(change) < VISIBLE ? "=" : String.format(Locale.ROOT, "%+.1f %%", change * 100);
  }

  private void paths(WhatIfOutcome after) {
    PathComparison.Result result = PathComparison.compare(report.before(), after);
    out.append("\npaths that change: ").append(result.changes().size()).append(" of ");
    out.append(result.compared()).append('\n');
    TextTable.append(out, PathChangeText.rows(result.changes(), verbose));
  }

  private void calls(WhatIfOutcome after) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("busbw in GB/s", "", "before", "after", "change"));
    int same = 0;
    for (CollectiveCall call : report.calls()) {
      Optional<Prediction> was = report.before().prediction(call);
      Optional<Prediction> is = after.prediction(call);
      was.ifPresent(p -> note(report.before(), p));
      is.ifPresent(p -> note(after, p));
      if (isSame(was, is)) {
        same++;
        if (!verbose) {
          continue;
        }
      }
      rows.add(
          List.of(
              "  " + call.collective().label(),
              QuantityFormat.size(call.sizeBytes()),
              was.map(p -> shown(report.before(), p)).orElse("refused"),
              is.map(p -> shown(after, p)).orElse("refused"),
              change(was, is)));
    }
    out.append('\n');
    if (rows.size() > 1) {
      TextTable.append(out, rows);
    }
    if (same > 0) {
      out.append("choice and busbw as before: ").append(same).append(" of ");
      out.append(report.calls().size()).append(" calls\n");
    }
  }

  private static boolean isSame(Optional<Prediction> was, Optional<Prediction> is) {
    if (was.isEmpty() || is.isEmpty()) {
      return was.isEmpty() && is.isEmpty();
    }
    return isSameChoice(was.get(), is.get())
        && Math.abs(is.get().busbwGBps() / was.get().busbwGBps() - 1) < VISIBLE;
  }

  private static boolean isSameChoice(Prediction was, Prediction is) {
    return was.algorithm() == is.algorithm()
        && was.protocol() == is.protocol()
        && was.channels() == is.channels();
  }

  /** Predicted times are not compared with those of NCCL's own model. */
  private static String change(Optional<Prediction> was, Optional<Prediction> is) {
    if (was.isEmpty() || is.isEmpty()) {
      return "";
    }
    return was.get().source().predictsTimes() == is.get().source().predictsTimes()
        ? percent(was.get().busbwGBps(), is.get().busbwGBps())
        : "two models";
  }

  /** What a prediction that is compared rests on. */
  private void note(WhatIfOutcome outcome, Prediction prediction) {
    algorithms.computeIfAbsent(prediction.source(), source -> new TreeSet<>());
    if (prediction.source().predictsTimes()) {
      outcome.calibration().map(WhatIfText::calibration).ifPresent(calibrations::add);
    }
  }

  /** A prediction of an outcome, which the footnotes then say the source of. */
  private String shown(WhatIfOutcome outcome, Prediction prediction) {
    note(outcome, prediction);
    algorithms
        .computeIfAbsent(prediction.source(), source -> new TreeSet<>())
        .add(prediction.algorithm().label());
    return String.format(
        Locale.ROOT,
        "%s/%s %d ch %.4g%s",
        prediction.algorithm().label(),
        prediction.protocol().label(),
        prediction.channels(),
        prediction.busbwGBps(),
        prediction.isCalibrated() ? "" : "*");
  }

  /** Says what busbw rests on, of the algorithms that are shown. */
  private void sources() {
    if (algorithms.isEmpty()) {
      return;
    }
    out.append('\n');
    if (!calibrations.isEmpty()) {
      out.append("busbw by calibration ").append(String.join(", ", calibrations)).append('\n');
    }
    source(
        Source.PUBLISHED,
        String.format(
            Locale.ROOT,
            "busbw by published measurements, 90 of 100 within %.0f %%",
            100 * Predictor.PUBLISHED_SPREAD));
    source(
        Source.NCCL_MODEL,
        "busbw by NCCL's own tuning model, which ranks algorithms: compare with other model values only");
  }

  private void source(Source source, String words) {
    Set<String> shown = algorithms.get(source);
    if (shown != null) {
      out.append(shown.isEmpty() ? "" : "* " + String.join(", ", shown) + ": ");
      out.append(words).append('\n');
    }
  }

  private static String calibration(Calibration calibration) {
    return String.format(
        Locale.ROOT,
        "%s (90 of 100 within %.0f %%)",
        calibration.name(),
        calibration.spread() * 100);
  }

  /** What outcomes are ranked by, in words. */
  static String measure(Score.Ranking ranking) {
    return ranking.name().toLowerCase(Locale.ROOT);
  }
}
