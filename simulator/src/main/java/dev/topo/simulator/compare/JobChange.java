package dev.topo.simulator.compare;

import dev.topo.model.PrintfNumber;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.operation.Collective;
import dev.topo.search.cost.CollectiveCall;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Prediction.Source;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is different between two answers.
 *
 * @param failure why NCCL gives up on the second job; empty if it does not, or gives up on both
 *     alike
 * @param graphs what changed in the graphs, in NCCL's order
 * @param choices for which sizes NCCL chooses another algorithm or protocol
 * @param busbw calls whose busbw changed by more than the last digits
 */
public record JobChange(
    Optional<String> failure,
    List<GraphChange> graphs,
    List<ChoiceChange> choices,
    List<BusbwChange> busbw) {
  /** Changes below this part of busbw are not worth a word. */
  private static final double SMALLEST = 0.002;

  /** Copies its lists. */
  public JobChange {
    graphs = List.copyOf(graphs);
    choices = List.copyOf(choices);
    busbw = List.copyOf(busbw);
  }

  /**
   * A property of a graph with another value.
   *
   * @param kind which graph
   * @param property a field of the graph as NCCL calls it, or {@code channels} where only their
   *     routes differ
   * @param before its value; empty for routes
   * @param after its value; empty for routes
   */
  public record GraphChange(GraphKind kind, String property, String before, String after) {}

  /**
   * Sizes for which NCCL chooses otherwise.
   *
   * @param collective the collective
   * @param firstBytes the smallest of the sizes that were tried
   * @param lastBytes the largest
   * @param before algorithm and protocol, as in {@code Ring/LL}; {@code none} where NCCL refuses
   * @param after the same for the second job
   */
  public record ChoiceChange(
      Collective collective, long firstBytes, long lastBytes, String before, String after) {}

  /**
   * The busbw of a call.
   *
   * @param call the call
   * @param beforeGBps busbw in the first job
   * @param afterGBps busbw in the second job
   * @param sources what both rest on, the first job first
   */
  public record BusbwChange(
      CollectiveCall call, double beforeGBps, double afterGBps, List<Source> sources) {
    /** Copies the sources. */
    public BusbwChange {
      sources = List.copyOf(sources);
    }

    /** Whether both rest on measured constants. */
    public boolean isCalibrated() {
      return sources.stream().allMatch(source -> source == Source.CALIBRATION);
    }

    /** Whether one of them tells times and the other is NCCL's own model. */
    public boolean isOfTwoModels() {
      return sources.stream().map(Source::predictsTimes).distinct().count() > 1;
    }

    /** The change as a part of what it was. */
    public double relative() {
      return afterGBps / beforeGBps - 1;
    }
  }

  /** Whether nothing changed. */
  public boolean isNone() {
    return failure.isEmpty() && graphs.isEmpty() && choices.isEmpty() && busbw.isEmpty();
  }

  /** What changes from one answer to another for the same calls. */
  public static JobChange of(JobAnswer before, JobAnswer after) {
    if (after.failure().isPresent()) {
      boolean alike = after.failure().equals(before.failure());
      return new JobChange(
          alike ? Optional.empty() : after.failure(), List.of(), List.of(), List.of());
    }
    return new JobChange(
        Optional.empty(), graphs(before, after), choices(before, after), busbw(before, after));
  }

  /** A change that cannot be worked out, with the reason. */
  public static JobChange failed(String reason) {
    return new JobChange(Optional.of(reason), List.of(), List.of(), List.of());
  }

  private static List<GraphChange> graphs(JobAnswer before, JobAnswer after) {
    List<GraphChange> changes = new ArrayList<>();
    for (int i = 0; i < Math.min(before.graphs().size(), after.graphs().size()); i++) {
      ChannelGraph old = before.graphs().get(i);
      ChannelGraph now = after.graphs().get(i);
      Map<String, String> oldValues = properties(old);
      Map<String, String> newValues = properties(now);
      boolean other = false;
      for (Map.Entry<String, String> property : oldValues.entrySet()) {
        String value = newValues.getOrDefault(property.getKey(), "");
        if (!property.getValue().equals(value)) {
          changes.add(new GraphChange(old.kind(), property.getKey(), property.getValue(), value));
          other = true;
        }
      }
      if (!other && !old.channels().equals(now.channels())) {
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
    List<ChoiceChange> changes = new ArrayList<>();
    Map<CollectiveCall, String> all = new LinkedHashMap<>();
    before.predictions().keySet().forEach(call -> all.put(call, ""));
    after.predictions().keySet().forEach(call -> all.put(call, ""));
    boolean continues = false;
    Collective last = Collective.ALL_REDUCE;
    for (CollectiveCall call : all.keySet()) {
      String old = choice(before, call);
      String now = choice(after, call);
      if (old.equals(now)) {
        continues = false;
        continue;
      }
      ChoiceChange change =
          new ChoiceChange(call.collective(), call.sizeBytes(), call.sizeBytes(), old, now);
      int end = changes.size() - 1;
      if (continues
          && last == call.collective()
          && changes.get(end).before.equals(old)
          && changes.get(end).after.equals(now)) {
        long first = changes.get(end).firstBytes;
        changes.set(end, new ChoiceChange(call.collective(), first, call.sizeBytes(), old, now));
      } else {
        changes.add(change);
      }
      continues = true;
      last = call.collective();
    }
    return changes;
  }

  private static String choice(JobAnswer answer, CollectiveCall call) {
    return Optional.ofNullable(answer.predictions().get(call))
        .map(p -> p.algorithm().label() + "/" + p.protocol().label())
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
                BusbwChange change =
                    new BusbwChange(
                        call,
                        old.busbwGBps(),
                        now.busbwGBps(),
                        List.of(old.source(), now.source()));
                if (Math.abs(change.relative()) >= SMALLEST) {
                  changes.add(change);
                }
              }
            });
    return changes;
  }
}
