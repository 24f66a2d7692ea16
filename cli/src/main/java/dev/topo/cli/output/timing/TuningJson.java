package dev.topo.cli.output.timing;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Json;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.search.tuning.Decision;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tuning as data: {@code model[]}, {@code threads[]} and {@code choices[]}, or the choices as a
 * table.
 */
public final class TuningJson {
  private TuningJson() {}

  /** The model of a communicator, its limits of threads, and its choices for some calls. */
  public static Answer json(String title, Communicator communicator, List<CollectiveCall> calls) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("machines", title);
    tree.put("nRanks", communicator.connection().nRanks());
    tree.put("nNodes", communicator.connection().nNodes());
    tree.put("model", model(communicator));
    tree.put("threads", threads(communicator));
    tree.put("choices", calls.stream().map(call -> choice(communicator, call)).toList());
    return Answer.of(Json.write(tree));
  }

  private static List<Map<String, Object>> model(Communicator communicator) {
    List<Map<String, Object>> entries = new ArrayList<>();
    for (Collective collective : Collective.values()) {
      for (Algorithm algorithm : Algorithm.values()) {
        for (Protocol protocol : Protocol.values()) {
          Map<String, Object> entry = new LinkedHashMap<>();
          entry.put("collective", collective.label());
          entry.put("algorithm", algorithm.label());
          entry.put("protocol", protocol.label());
          entry.put(
              "bandwidthGBps",
              Json.number(
                  communicator.tuner().model().bandwidthGBps(collective, algorithm, protocol)));
          entry.put(
              "latencyUs",
              Json.number(communicator.tuner().model().latencyUs(collective, algorithm, protocol)));
          entries.add(entry);
        }
      }
    }
    return entries;
  }

  private static List<Map<String, Object>> threads(Communicator communicator) {
    List<Map<String, Object>> entries = new ArrayList<>();
    for (Algorithm algorithm : Algorithm.values()) {
      for (Protocol protocol : Protocol.values()) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("algorithm", algorithm.label());
        entry.put("protocol", protocol.label());
        entry.put(
            "maxThreads", communicator.tuner().threadLimits().maxThreads(algorithm, protocol));
        entry.put(
            "thresholdBytes",
            communicator.tuner().threadLimits().thresholdBytes(algorithm, protocol));
        entries.add(entry);
      }
    }
    return entries;
  }

  private static Map<String, Object> choice(Communicator communicator, CollectiveCall call) {
    Optional<Decision.Choice> choice = communicator.tuner().decide(call).choice();
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("collective", call.collective().label());
    entry.put("sizeBytes", call.sizeBytes());
    // A map takes null for what JSON writes as null: NCCL refuses the call.
    entry.put("algorithm", choice.map(c -> (Object) c.algorithm().label()).orElse(Json.NULL));
    entry.put("protocol", choice.map(c -> (Object) c.protocol().label()).orElse(Json.NULL));
    entry.put("channels", choice.map(c -> (Object) c.channels()).orElse(Json.NULL));
    entry.put("threads", choice.map(c -> (Object) c.threads()).orElse(Json.NULL));
    entry.put("timeUs", choice.map(c -> (Object) Json.number(c.timeUs())).orElse(Json.NULL));
    return entry;
  }

  /** The choices as a table with a line of names first; empty cells where NCCL refuses the call. */
  public static Answer csv(Communicator communicator, List<CollectiveCall> calls) {
    return out -> {
      out.append("collective,sizeBytes,algorithm,protocol,channels,threads,timeUs\n");
      for (CollectiveCall call : calls) {
        Optional<Decision.Choice> choice = communicator.tuner().decide(call).choice();
        out.append(call.collective().label())
            .append(',')
            .append(String.valueOf(call.sizeBytes()))
            .append(',');
        out.append(
            choice
                .map(
                    c ->
                        String.join(
                            ",",
                            c.algorithm().label(),
                            c.protocol().label(),
                            String.valueOf(c.channels()),
                            String.valueOf(c.threads()),
                            Json.number(c.timeUs()).toPlainString()))
                .orElse(",,,,"));
        out.append('\n');
      }
    };
  }
}
