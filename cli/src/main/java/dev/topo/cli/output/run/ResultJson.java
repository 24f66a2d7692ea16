package dev.topo.cli.output.run;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Json;
import dev.topo.inspect.agreement.Fact;
import dev.topo.model.settings.NcclSettings;
import dev.topo.run.bench.CallResult;
import dev.topo.run.job.LibraryLimits;
import dev.topo.run.job.UsedDevice;
import dev.topo.verify.MeasuredCall;
import dev.topo.verify.Verification;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A verification as one file: the machines, what agrees and what does not, and every measurement.
 * {@code measurements[]} has for each size the collective, algorithm and protocol that ran, whether
 * they were forced, channels, bytes, times and busbw in place and out of place, what was predicted,
 * and what NCCL's tuning model says.
 */
public final class ResultJson {
  private static final String FORMAT = "topo-result";
  private static final int FORMAT_VERSION = 1;

  private ResultJson() {}

  /** The file. */
  public static Answer of(Verification verification, NcclSettings settings) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("format", FORMAT);
    tree.put("version", FORMAT_VERSION);
    tree.put("nccl", LibraryLimits.text(verification.started().ncclVersion()));
    tree.put("ncclLibrary", verification.started().library());
    tree.put("settings", new TreeMap<>(settings.values()));
    tree.put("ranks", verification.communicator().connection().nRanks());
    tree.put("nodes", verification.communicator().connection().nNodes());
    tree.put("devices", verification.started().devices().stream().map(ResultJson::device).toList());
    tree.put("systems", verification.started().announcements().stream().distinct().toList());
    tree.put("agreement", agreement(verification));
    tree.put(
        "differences",
        verification.comparison().differences().stream().map(ResultJson::difference).toList());
    tree.put("notCompared", verification.comparison().notCompared());
    tree.put(
        "measurements", verification.measured().stream().map(ResultJson::measurement).toList());
    return Answer.of(Json.write(tree));
  }

  private static Map<String, Object> device(UsedDevice device) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("rank", device.rank());
    tree.put("host", device.host());
    tree.put("pid", device.pid());
    tree.put("busId", device.busId());
    tree.put("name", device.name());
    return tree;
  }

  private static List<Object> agreement(Verification verification) {
    List<Object> list = new ArrayList<>();
    verification
        .comparison()
        .counts()
        .forEach(
            (topic, count) -> {
              Map<String, Object> tree = new LinkedHashMap<>();
              tree.put("topic", topic.label());
              tree.put("equal", count.equal());
              tree.put("compared", count.compared());
              list.add(tree);
            });
    return list;
  }

  private static Map<String, Object> difference(Fact fact) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("topic", fact.topic().label());
    tree.put("source", fact.source());
    tree.put("where", fact.where());
    tree.put("nccl", fact.expected());
    tree.put("predicted", fact.found());
    return tree;
  }

  private static Map<String, Object> measurement(MeasuredCall one) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("collective", one.row().collective().label());
    tree.put("algorithm", one.algorithm().label());
    tree.put("protocol", one.protocol().label());
    tree.put("forced", one.forced());
    tree.put("channels", one.channels());
    tree.put("bytes", one.row().sizeBytes());
    side(tree, "", one.row().outOfPlace());
    side(tree, "InPlace", one.row().inPlace());
    tree.put(
        "predictedUs", one.predictedUs().isPresent() ? one.predictedUs().getAsDouble() : Json.NULL);
    tree.put("ncclModelUs", one.modelUs());
    return tree;
  }

  private static void side(Map<String, Object> tree, String suffix, CallResult one) {
    tree.put("timeUs" + suffix, one.timeUs());
    tree.put("busbwGBps" + suffix, one.busbwGBps());
    tree.put(
        "wrong" + suffix, one.wrong().isPresent() ? (Object) one.wrong().getAsLong() : Json.NULL);
  }
}
