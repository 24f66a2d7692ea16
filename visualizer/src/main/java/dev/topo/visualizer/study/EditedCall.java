package dev.topo.visualizer.study;

import dev.topo.model.Link.PathType;
import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.evaluate.TimeChange;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import dev.topo.simulator.variant.JobChange.BusbwChange;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.visualizer.times.BusbwWords;
import dev.topo.visualizer.times.BusbwWords.Ends;
import dev.topo.visualizer.times.LimitWords;
import dev.topo.visualizer.times.PredictionRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** A call before and after edits: the change of its busbw and the reason. */
record EditedCall(Call call, WhatIfOutcome before, WhatIfOutcome after) {
  /**
   * A graph counts as the reason for a change if its own change is at least this fraction of it, on
   * a log scale.
   */
  private static final double MIN_EXPLAINED_FRACTION = 0.5;

  private static final Map<Algorithm, GraphKind> GRAPHS =
      Map.of(
          Algorithm.RING, GraphKind.RING,
          Algorithm.TREE, GraphKind.TREE,
          Algorithm.NVLS, GraphKind.NVLS,
          Algorithm.NVLS_TREE, GraphKind.NVLS);

  private static final Map<GraphKind, String> GRAPH_WORDS =
      Map.of(
          GraphKind.RING, "rings",
          GraphKind.TREE, "trees",
          GraphKind.NVLS, "NVLS channels");

  /** Returns all calls of a report, compared with one of its outcomes. */
  static List<EditedCall> of(WhatIfReport report, WhatIfOutcome after) {
    return report.calls().stream()
        .map(call -> new EditedCall(call, report.before(), after))
        .toList();
  }

  Optional<Prediction> was() {
    return before.prediction(call);
  }

  Optional<Prediction> is() {
    return after.prediction(call);
  }

  /** The change of busbw; empty if a time is missing or the two times are not comparable. */
  private Optional<BusbwChange> change() {
    return was()
        .flatMap(was -> is().map(is -> new BusbwChange(call, was, is)))
        .filter(change -> !change.isOfTwoModels());
  }

  /** The relative change of busbw; empty if the two times are not comparable. */
  OptionalDouble relative() {
    return change().stream().mapToDouble(BusbwChange::relative).findFirst();
  }

  /**
   * The size of the change on a scale on which doubling and halving count the same; 0 if not
   * comparable.
   */
  double size() {
    return change().map(BusbwChange::size).orElse(0.0);
  }

  boolean isVisible() {
    return change()
        .map(change -> !TimeChange.isNone(change.relative()))
        .orElse(was().isPresent() || is().isPresent());
  }

  /** True if the change exceeds the ranges before and after. */
  boolean isCertain() {
    return isVisible() && change().map(BusbwChange::isCertain).orElse(true);
  }

  /** True if ranges are known both before and after. */
  boolean hasRanges() {
    return Stream.of(was(), is())
        .allMatch(known -> known.filter(time -> time.spread().isPresent()).isPresent());
  }

  boolean isGain() {
    return relative().orElse(0) > 0;
  }

  /** The change in percent, or as a factor if busbw more than doubles. */
  String percent() {
    if (relative().isEmpty()) {
      return was().isPresent() && is().isPresent() ? "two models" : "";
    }
    double change = relative().getAsDouble();
    if (!isVisible()) {
      return "=";
    }
    return BusbwWords.percent(change);
  }

  /** Why an outcome has no time for the call. */
  private String missingTime(WhatIfOutcome outcome) {
    return outcome
        .result()
        .predictor()
        .refused(call)
        .map(refusal -> refusal.label() + " by NCCL")
        .orElse("not known");
  }

  /** The call and its busbw: {@code AllReduce of 1 GiB 330 → 310 GB/s busbw (-6 %)}. */
  String amount() {
    if (was().isEmpty() || is().isEmpty()) {
      return is().isEmpty()
          ? call.label() + " is " + missingTime(after)
          : call.label()
              + " "
              + BusbwWords.range(is().get()).text()
              + " GB/s busbw, which was %s before".formatted(missingTime(before));
    }
    if (relative().isEmpty()) {
      return call.label() + " is not comparable, as one of its times is that of NCCL's own model";
    }
    Prediction was = was().get();
    Prediction is = is().get();
    if (!isCertain()) {
      return "%s stays %s %s GB/s busbw%s"
          .formatted(
              call.label(),
              isVisible() ? "within its range," : "at",
              BusbwWords.text(was),
              unknown());
    }
    if (isShort(was) && isShort(is)) {
      return "%s takes %s → %s us, %s busbw"
          .formatted(
              call.label(),
              PredictionRow.timeUs(was).text(),
              PredictionRow.timeUs(is).text(),
              percent());
    }
    Ends ends = Ends.of(was, is, relative().getAsDouble());
    return "%s %s → %s%s GB/s busbw, %s%s"
        .formatted(
            call.label(),
            ends.before(),
            ends.after(),
            BusbwWords.range(is).inBrackets(""),
            percent(),
            unknown());
  }

  /** The change of busbw as a verb phrase: {@code gains 20 %}. */
  String verb() {
    String percent = percent();
    return percent.endsWith(BusbwWords.TIMES)
        ? "becomes " + percent + " as fast"
        : (isGain() ? "gains " : "loses ") + percent.substring(1);
  }

  private String unknown() {
    return hasRanges() ? "" : " (no range known)";
  }

  /** True if the call is all latency, so that its busbw says little. */
  private static boolean isShort(Prediction prediction) {
    Bottleneck bottleneck = prediction.estimate().bottleneck();
    return bottleneck == Bottleneck.LATENCY || bottleneck == Bottleneck.LAUNCH;
  }

  /** The reason for the change, after a comma; empty if nothing known explains it. */
  String cause() {
    if (relative().isEmpty()) {
      return "";
    }
    Prediction was = was().orElseThrow();
    Prediction is = is().orElseThrow();
    if (!isVisible()) {
      return is.source() == Source.NCCL_MODEL && was.channels() != is.channels()
          ? ", as NCCL's own model uses the channels of the graph, not those launched (%s → %s): the effect is not known"
              .formatted(was.channels(), is.channels())
          : LimitWords.clause(after.result(), is);
    }
    if (!choice().isEmpty()) {
      return choice();
    }
    if (was.channels() != is.channels() && is.channels() > was.channels() == isGain()) {
      return ", " + channels(was, is);
    }
    return graph(was).orElseGet(() -> limit(was, is));
  }

  /** The change of algorithm and protocol, after a comma; empty if they stay the same. */
  String choice() {
    String before = was().map(Prediction::launchName).orElse("");
    String after = is().map(Prediction::launchName).orElse("");
    return before.equals(after) ? "" : ", by %s instead of %s".formatted(after, before);
  }

  private Optional<String> graph(Prediction was) {
    return was.tunedAlgorithm().map(GRAPHS::get).flatMap(kind -> rate(kind).or(() -> paths(kind)));
  }

  private Optional<String> rate(GraphKind kind) {
    double old = before.bandwidthGBps(kind);
    double now = after.bandwidthGBps(kind);
    return old == now
            || now > old != isGain()
            || Math.abs(Math.log(now / old)) < MIN_EXPLAINED_FRACTION * size()
        ? Optional.empty()
        : Optional.of(
            ", as %s carry %s → %s GB/s"
                .formatted(
                    GRAPH_WORDS.get(kind),
                    QuantityFormat.bandwidth(old).replace(".0", ""),
                    QuantityFormat.bandwidth(now).replace(".0", "")));
  }

  private Optional<String> paths(GraphKind kind) {
    PathType old = before.graph(kind).typeInter();
    PathType now = after.graph(kind).typeInter();
    return after.crossesNetwork() && now != old && now.compareTo(old) < 0 == isGain()
        ? Optional.of(", as GPUs reach NICs over %s instead of %s".formatted(now, old))
        : Optional.empty();
  }

  private String limit(Prediction was, Prediction is) {
    Optional<String> old = LimitWords.of(before.result(), was);
    Optional<String> now = LimitWords.of(after.result(), is);
    String channels = was.channels() == is.channels() ? ", " : ", " + channels(was, is) + ", ";
    return now.map(limit -> channels + (now.equals(old) ? "" : "then ") + LimitWords.by(limit))
        .orElse("");
  }

  /**
   * The algorithm and protocol, with what changes about them: {@code Ring/LL128, 16 → 28 channels}.
   */
  String runs() {
    Optional<Prediction> was = was();
    Optional<Prediction> is = is();
    if (was.isEmpty() || is.isEmpty()) {
      return was.or(() -> is).map(Prediction::launchName).orElse("");
    }
    String name = ChangeWords.arrow(was.get().launchName(), is.get().launchName());
    return name + ", " + channels(was.get(), is.get());
  }

  private static String channels(Prediction was, Prediction is) {
    return was.channels() == is.channels()
        ? QuantityFormat.count(is.channels(), "channel")
        : was.channels() + " → " + is.channels() + " channels";
  }
}
