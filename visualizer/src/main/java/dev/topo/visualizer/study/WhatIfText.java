package dev.topo.visualizer.study;

import dev.topo.inspect.edit.EditSet;
import dev.topo.model.MachineFormat;
import dev.topo.model.QuantityFormat;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.search.connect.Connection;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.variant.GainReason;
import dev.topo.simulator.variant.PathComparison;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.simulator.variant.WhatIfReport.VariantOutcome;
import dev.topo.visualizer.structure.GraphsText;
import dev.topo.visualizer.structure.MemoryChange;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A job before and after edits as people read it, in full: graphs, paths and all calls. */
public final class WhatIfText {
  /** Changes of busbw below this are none to people. */
  private static final double VISIBLE = 0.0005;

  private final WhatIfReport report;
  private final TextWriter out = new TextWriter();

  /** Calibrations of busbw with the errors of 90 of 100 predictions, in percent. */
  private final Map<String, TreeSet<Long>> calibrations = new TreeMap<>();

  private final TreeSet<Long> publishedErrors = new TreeSet<>();

  /** The algorithms of each source that are shown. */
  private final Map<Source, Set<String>> algorithms = new EnumMap<>(Source.class);

  /** The signs of sources in the order in which they are shown. */
  private final Map<Source, String> signs = new EnumMap<>(Source.class);

  private WhatIfText(WhatIfReport report) {
    this.report = report;
  }

  /**
   * The calls that change, or several variants in their order.
   *
   * @param verbose each variant in detail
   */
  public static Answer of(WhatIfReport report, boolean verbose) {
    return verbose ? detailed(report) : WhatIfBrief.of(report);
  }

  private static Answer detailed(WhatIfReport report) {
    WhatIfText text = new WhatIfText(report);
    text.heading();
    if (report.variants().size() > 1) {
      text.ranking();
    }
    report.variants().forEach(text::detail);
    text.sources();
    return Answer.of(text.out.toString());
  }

  private void heading() {
    out.line("%s: %s", report.job(), ranks(report.before()));
  }

  private static String ranks(WhatIfOutcome outcome) {
    Connection connection = outcome.result().connection();
    return "%s on %s"
        .formatted(QuantityFormat.count(connection.nRanks(), "rank"), connection.nodeWords());
  }

  /** The ranks of an outcome where the edits change their number; else empty. */
  private String otherRanks(WhatIfOutcome after) {
    int before = report.before().result().connection().nRanks();
    return before == after.result().connection().nRanks() ? "" : " (" + ranks(after) + ")";
  }

  private void ranking() {
    List<WhatIfOutcome> ranked = report.ranked();
    List<Integer> places = report.places();
    Call main = report.mainCall();
    TextTable table = TextTable.atMargin();
    table.row("", "", "ring", "tree", "channels", call(main));
    for (int i = 0; i < ranked.size(); i++) {
      WhatIfOutcome outcome = ranked.get(i);
      table.row(
          places.get(i),
          outcome.name() + otherRanks(outcome),
          product(outcome, GraphKind.RING),
          product(outcome, GraphKind.TREE),
          outcome.result().connection().nChannels(),
          shown(outcome, main, outcome.prediction(main)));
    }
    out.line("").table(table);
    for (VariantOutcome variant : report.variants()) {
      if (variant.outcome().isEmpty()) {
        out.line("-  %s: %s", variant.variant().name(), failure(variant));
      }
    }
    out.line("");
    for (VariantOutcome variant : report.variants()) {
      variant
          .outcome()
          .flatMap(after -> GainReason.ofGain(report.before(), after, List.of(main)))
          .ifPresent(why -> out.line("%s: %s", variant.variant().name(), why));
      EditSet edits = variant.variant();
      if (!edits.edits().isEmpty() && !edits.name().equals(edits.text())) {
        out.line("%s: %s", edits.name(), edits.text());
      }
    }
  }

  static String call(Call call) {
    return call.operation().label() + " " + QuantityFormat.size(call.sizeBytes());
  }

  private static String failure(VariantOutcome variant) {
    return variant.failure().map(UnusableTopologyException::sentence).orElse("");
  }

  private void detail(VariantOutcome variant) {
    out.line(
        "\nwhat if %s%s",
        variant.variant().text(), variant.outcome().map(this::otherRanks).orElse(""));
    if (variant.outcome().isEmpty()) {
      out.line("\n%s", failure(variant));
      return;
    }
    WhatIfOutcome after = variant.outcome().get();
    graphs(after);
    boolean isOfPorts = paths(after);
    boolean isSame = calls(after);
    MemoryChange.line(
            after.result().connection().nRanks(),
            report.before().memory(report.calls()),
            after.memory(report.calls()))
        .ifPresent(out::line);
    if (isOfPorts && isSame && report.before().result().connection().nNodes() == 1) {
      out.line(
          "a job of one node does not use network ports: %s shows the change in a job of two",
          Hint.TWO_NODES);
    }
  }

  private void graphs(WhatIfOutcome after) {
    WhatIfOutcome before = report.before();
    TextTable table = TextTable.atMargin().header(",before,after,change");
    for (GraphKind kind : GraphKind.values()) {
      if (before.graph(kind).nChannels() + after.graph(kind).nChannels() > 0) {
        table.row(
            kind.label(),
            graph(before, kind),
            graph(after, kind),
            percent(before.bandwidthGBps(kind), after.bandwidthGBps(kind)));
      }
    }
    table.row(
        "channels",
        before.result().connection().nChannels(),
        after.result().connection().nChannels(),
        "");
    out.line("").table(table);
    String was = MachineFormat.summary(before.machine().topology());
    String is = MachineFormat.summary(after.machine().topology());
    if (!was.equals(is)) {
      out.line("\nmachine before: %s", was);
      out.line("%s%s", after.isDeclared() ? "declared:       " : "machine after:  ", is);
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
    return TextWriter.format(
        "%d x %s = %s GB/s",
        graph.nChannels(),
        PrintfNumber.general(crossesNetwork ? graph.bwInter() : graph.bwIntra()),
        PrintfNumber.general((float) bandwidthGBps));
  }

  private static String percent(double before, double after) {
    if (before <= 0 || after <= 0) {
      return "";
    }
    double change = after / before - 1;
    return Math.abs(change) < VISIBLE ? "=" : TextWriter.format("%+.1f %%", change * 100);
  }

  /** The paths that change; whether all of them lead to network ports, and there are some. */
  private boolean paths(WhatIfOutcome after) {
    PathComparison.Result result = PathComparison.compare(report.before(), after);
    out.line("\npaths that change: %d of %d", result.changes().size(), result.compared());
    out.table(PathChangeText.table(result.changes(), true));
    return !result.changes().isEmpty()
        && result.changes().stream().noneMatch(change -> change.to().startsWith("GPU "));
  }

  /** The calls that change; whether there are none. */
  private boolean calls(WhatIfOutcome after) {
    TextTable table = TextTable.atMargin().header("busbw in GB/s,,before,after,change");
    Set<String> refusals = new LinkedHashSet<>();
    int same = 0;
    int refused = 0;
    int unknown = 0;
    for (Call call : report.calls()) {
      Optional<Prediction> was = report.before().prediction(call);
      Optional<Prediction> is = after.prediction(call);
      was.ifPresent(p -> note(report.before(), p));
      is.ifPresent(p -> note(after, p));
      if (is.isEmpty()) {
        after.result().predictor().obstacle(call).ifPresent(refusals::add);
      }
      if (isSame(was, is)) {
        boolean isRefused = is.isEmpty() && after.result().predictor().isRefused(call);
        boolean isUnknown = is.isEmpty() && call instanceof PeerCall;
        refused += isRefused ? 1 : 0;
        unknown += isUnknown ? 1 : 0;
        same += isRefused || isUnknown ? 0 : 1;
      }
      table.row(
          "  " + call.operation().label(),
          QuantityFormat.size(call.sizeBytes()),
          shown(report.before(), call, was),
          shown(after, call, is),
          change(was, is));
    }
    out.line("");
    out.table(table);
    out.lines("", refusals);
    GainReason.ofGain(report.before(), after, report.calls()).ifPresent(out::line);
    if (same > 0) {
      out.line("choice and busbw as before: %d of %d calls", same, report.calls().size());
    }
    if (refused > 0) {
      out.line("refused before and after: %d of %d calls", refused, report.calls().size());
    }
    if (unknown > 0) {
      out.line("not known before and after: %d of %d calls", unknown, report.calls().size());
    }
    return same + refused + unknown == report.calls().size();
  }

  private static boolean isSame(Optional<Prediction> was, Optional<Prediction> is) {
    if (was.isEmpty() || is.isEmpty()) {
      return was.isEmpty() && is.isEmpty();
    }
    return isSameChoice(was.get(), is.get())
        && Math.abs(is.get().busbwGBps() / was.get().busbwGBps() - 1) < VISIBLE;
  }

  private static boolean isSameChoice(Prediction was, Prediction is) {
    return was.launchName().equals(is.launchName()) && was.channels() == is.channels();
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

  /** Notes the basis of a prediction that is compared. */
  private void note(WhatIfOutcome outcome, Prediction prediction) {
    algorithms.computeIfAbsent(prediction.source(), source -> new TreeSet<>());
    if (prediction.source().judges()) {
      boolean isPublished = prediction.source() == Source.PUBLISHED;
      if (isPublished) {
        publishedErrors.add(percent(prediction));
      }
      outcome
          .calibration()
          .map(
              calibration ->
                  calibrations.computeIfAbsent(calibration.name(), name -> new TreeSet<>()))
          .filter(errors -> !isPublished)
          .ifPresent(errors -> errors.add(percent(prediction)));
    }
  }

  /** The error that 90 of 100 predictions keep within, in percent; negative if it is not known. */
  private static long percent(Prediction prediction) {
    return prediction.spread().isPresent()
        ? Math.round(100 * prediction.spread().getAsDouble())
        : -1;
  }

  /** Errors as a range: {@code 90 of 100 within 8 to 30 %}. */
  private static String errors(TreeSet<Long> percents) {
    SortedSet<Long> known = percents.tailSet(0L);
    if (known.isEmpty()) {
      return "no range is known";
    }
    String range =
        known.size() == 1
            ? "%d %%".formatted(known.first())
            : "%d to %d %%".formatted(known.first(), known.last());
    return "90 of 100 within "
        + range
        + (known.size() < percents.size() ? "; of some no range is known" : "");
  }

  /** A prediction of an outcome, which the footnotes then say the source of. */
  private String shown(WhatIfOutcome outcome, Call call, Optional<Prediction> predicted) {
    if (predicted.isEmpty()) {
      return call instanceof PeerCall ? "not known" : "refused";
    }
    Prediction prediction = predicted.get();
    note(outcome, prediction);
    algorithms
        .computeIfAbsent(prediction.source(), source -> new TreeSet<>())
        .add(
            prediction
                .tunedAlgorithm()
                .map(Algorithm::label)
                .orElseGet(() -> prediction.call().operation().label()));
    return TextWriter.format(
        "%s %d ch %.4g%s",
        prediction.launchName(),
        prediction.channels(),
        prediction.busbwGBps(),
        prediction.isCalibrated() ? "" : sign(prediction.source()));
  }

  /** A sign for each source: one star, two stars and so on. */
  private String sign(Source source) {
    return signs.computeIfAbsent(source, next -> "*".repeat(signs.size() + 1));
  }

  /** Says what busbw rests on, of the algorithms that are shown. */
  private void sources() {
    if (algorithms.isEmpty()) {
      return;
    }
    out.line("");
    if (!calibrations.isEmpty()) {
      String names =
          calibrations.entrySet().stream()
              .map(
                  entry ->
                      entry.getValue().isEmpty()
                          ? entry.getKey()
                          : entry.getKey() + " (" + errors(entry.getValue()) + ")")
              .collect(Collectors.joining(", "));
      out.line("busbw by calibration %s", names);
    }
    algorithms.keySet().stream()
        .filter(source -> source != Source.CALIBRATION)
        .sorted(Comparator.comparing(source -> signs.getOrDefault(source, "")))
        .forEach(this::source);
  }

  private void source(Source source) {
    Set<String> shown = algorithms.getOrDefault(source, Set.of());
    String begin = shown.isEmpty() ? "" : sign(source) + " " + String.join(", ", shown) + ": ";
    out.line("%s%s", begin, text(source));
  }

  private String text(Source source) {
    return switch (source) {
      case PUBLISHED ->
          "busbw by published measurements"
              + (publishedErrors.isEmpty() ? "" : ", " + errors(publishedErrors));
      case NETWORK ->
          "busbw by the model of the network, with constants from published measurements";
      case UNMEASURED ->
          "busbw by the model of the network for algorithms of which no measurement between nodes is known";
      case NCCL_MODEL ->
          "busbw by NCCL's own tuning model, which ranks algorithms: compare with other model values only";
      case CALIBRATION -> "busbw by calibration";
    };
  }
}
