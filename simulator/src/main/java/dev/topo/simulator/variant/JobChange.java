package dev.topo.simulator.variant;

import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.evaluate.TimeChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The differences between two answers.
 *
 * @param failure why there is no answer for the second job; empty if there is one, or both fail for
 *     the same reason
 * @param graphs changes of the graphs, in NCCL's order
 * @param choices ranges of sizes with another algorithm or protocol
 * @param busbw calls whose busbw changed
 */
public record JobChange(
    Optional<JobFailure> failure,
    List<GraphChange> graphs,
    List<ChoiceChange> choices,
    List<BusbwChange> busbw) {
  public JobChange {
    graphs = List.copyOf(graphs);
    choices = List.copyOf(choices);
    busbw = List.copyOf(busbw);
  }

  /**
   * A property of a graph with another value.
   *
   * @param kind the graph
   * @param property a field of the graph as NCCL calls it, or {@code channels} where only their
   *     routes differ
   * @param before its value; empty for routes
   * @param after its value; empty for routes
   */
  public record GraphChange(GraphKind kind, String property, String before, String after) {}

  /**
   * A range of sizes for which NCCL chooses otherwise.
   *
   * @param collective the operation
   * @param firstBytes the smallest evaluated size
   * @param lastBytes the largest
   * @param before algorithm and protocol, as in {@code Ring/LL}; {@code none} where NCCL refuses
   * @param after the same for the second job
   */
  public record ChoiceChange(
      Operation collective, long firstBytes, long lastBytes, String before, String after) {
    private boolean continuesWith(ChoiceChange next) {
      return collective == next.collective
          && before.equals(next.before)
          && after.equals(next.after);
    }

    private ChoiceChange upTo(long sizeBytes) {
      return new ChoiceChange(collective, firstBytes, sizeBytes, before, after);
    }
  }

  /**
   * The busbw of a call.
   *
   * @param before the prediction of the first job
   * @param after the prediction of the second job
   */
  public record BusbwChange(Call call, Prediction before, Prediction after) {
    /** Busbw in the first job. */
    public double beforeGBps() {
      return before.busbwGBps();
    }

    /** Busbw in the second job. */
    public double afterGBps() {
      return after.busbwGBps();
    }

    /** Sources of both, those of the first job first. */
    public List<Source> sources() {
      return List.of(before.source(), after.source());
    }

    /** True if both use measured constants. */
    public boolean isCalibrated() {
      return sources().stream().allMatch(source -> source == Source.CALIBRATION);
    }

    /** True if one of them predicts times and the other is NCCL's own model. */
    public boolean isOfTwoModels() {
      return !TimeChange.areComparable(before, after);
    }

    /** True if they certainly differ: neither is within the range of the other. */
    public boolean isCertain() {
      return !isOfTwoModels() && !TimeChange.isWithinRanges(before, after);
    }

    /** The relative change. */
    public double relative() {
      return afterGBps() / beforeGBps() - 1;
    }

    /** The change on a logarithmic scale: twice as fast counts as much as half as fast. */
    public double size() {
      return Math.abs(Math.log1p(relative()));
    }
  }

  /** No change. */
  public static final JobChange NONE = failed(Optional.empty());

  /** The call with the largest certain change of busbw. */
  public Optional<BusbwChange> mostBusbw() {
    return busbw.stream()
        .filter(BusbwChange::isCertain)
        .max(Comparator.comparingDouble(BusbwChange::size));
  }

  /** True if nothing changed. */
  public boolean isNone() {
    return failure.isEmpty() && graphs.isEmpty() && choices.isEmpty() && busbw.isEmpty();
  }

  /** The changes from one answer to another for the same calls. */
  public static JobChange of(JobAnswer before, JobAnswer after) {
    if (after.failure().isPresent()) {
      return after.failure().equals(before.failure()) ? NONE : failed(after.failure());
    }
    return new JobChange(
        Optional.empty(), graphs(before, after), choices(before, after), busbw(before, after));
  }

  /** An unknown change, with the reason. */
  static JobChange failed(String reason) {
    return failed(Optional.of(new JobFailure(JobFailure.Kind.JOB, reason)));
  }

  private static JobChange failed(Optional<JobFailure> failure) {
    return new JobChange(failure, List.of(), List.of(), List.of());
  }

  private static List<GraphChange> graphs(JobAnswer before, JobAnswer after) {
    List<GraphChange> changes = new ArrayList<>();
    for (int i = 0; i < Math.min(before.graphs().size(), after.graphs().size()); i++) {
      ChannelGraph old = before.graphs().get(i);
      ChannelGraph now = after.graphs().get(i);
      Map<String, String> oldValues = properties(old);
      Map<String, String> newValues = properties(now);
      int known = changes.size();
      oldValues.forEach(
          (name, value) -> {
            String newValue = newValues.getOrDefault(name, "");
            if (!value.equals(newValue)) {
              changes.add(new GraphChange(old.kind(), name, value, newValue));
            }
          });
      if (changes.size() == known && !old.channels().equals(now.channels())) {
        changes.add(new GraphChange(old.kind(), "channels", "", ""));
      }
    }
    return changes;
  }

  private static Map<String, String> properties(ChannelGraph graph) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("nChannels", String.valueOf(graph.nChannels()));
    if (graph.nChannels() > 0) {
      values.put("pattern", graph.pattern().name());
      values.put("bwIntra", PrintfNumber.general(graph.bwIntra()));
      values.put("bwInter", PrintfNumber.general(graph.bwInter()));
      values.put("latencyInter", PrintfNumber.general(graph.latencyInter()));
      values.put("typeIntra", graph.typeIntra().name());
      values.put("typeInter", graph.typeInter().name());
      values.put("crossNic", String.valueOf(graph.crossNic()));
      values.put("sameChannels", String.valueOf(graph.sameChannels()));
    }
    return values;
  }

  private static List<ChoiceChange> choices(JobAnswer before, JobAnswer after) {
    Set<Call> calls = new LinkedHashSet<>(before.predictions().keySet());
    calls.addAll(after.predictions().keySet());
    List<ChoiceChange> ranges = new ArrayList<>();
    for (Call call : calls) {
      long size = call.sizeBytes();
      ChoiceChange next =
          new ChoiceChange(call.operation(), size, size, choice(before, call), choice(after, call));
      int end = ranges.size() - 1;
      if (end >= 0 && ranges.get(end).continuesWith(next)) {
        ranges.set(end, ranges.get(end).upTo(size));
      } else {
        ranges.add(next);
      }
    }
    ranges.removeIf(range -> range.before.equals(range.after));
    return ranges;
  }

  private static String choice(JobAnswer answer, Call call) {
    return Optional.ofNullable(answer.predictions().get(call))
        .map(Prediction::launchName)
        .orElse("none");
  }

  private static List<BusbwChange> busbw(JobAnswer before, JobAnswer after) {
    List<BusbwChange> changes = new ArrayList<>();
    before
        .predictions()
        .forEach(
            (call, old) -> {
              Prediction now = after.predictions().get(call);
              if (now != null && call.sizeBytes() > 0) {
                changes.add(new BusbwChange(call, old, now));
              }
            });
    changes.removeIf(change -> TimeChange.isNone(change.relative()));
    return changes;
  }
}
