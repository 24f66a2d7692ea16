package dev.topo.inspect.measured;

import dev.topo.inspect.log.RunOrigin;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads a result of {@code topo verify}: the hosts, the settings and all measurements. Files
 * written before topo had schemas are supported, too: they have {@code format} and {@code version}
 * instead of {@code schema}, and {@code ranks} and {@code nodes} outside of {@code job}.
 */
final class ResultFile {
  private static final String SCHEMA = "topo/verify/";
  private static final String OLD_FORMAT = "topo-result";
  private static final String VERSION = "1";

  private ResultFile() {}

  static boolean isOne(JsonTree tree) {
    return word(tree, "schema").startsWith(SCHEMA) || isOld(tree);
  }

  private static boolean isOld(JsonTree tree) {
    return word(tree, "format").equals(OLD_FORMAT);
  }

  private static String word(JsonTree tree, String name) {
    return tree.has(name) && tree.get(name).node().isString() ? tree.get(name).text() : "";
  }

  static MeasuredRun read(JsonTree tree) {
    boolean isOld = isOld(tree);
    String version =
        isOld
            ? String.valueOf(tree.get("version").integer())
            : word(tree, "schema").substring(SCHEMA.length());
    if (!version.equals(VERSION)) {
      throw tree.wrong("version is " + version + ": expected " + VERSION);
    }
    JsonTree job = isOld ? tree : tree.get("job");
    int ranks = (int) job.get("ranks").integer();
    Map<String, String> settings = new LinkedHashMap<>();
    if (tree.has("settings")) {
      JsonTree stated = tree.get("settings");
      stated.node().propertyNames().forEach(name -> settings.put(name, stated.get(name).text()));
    }
    List<Measurement> measurements = new ArrayList<>();
    List<Measurement> wrong = new ArrayList<>();
    int passedOver = 0;
    for (JsonTree entry : tree.get("measurements").entries()) {
      if (entry.get("bytes").integer() == 0) {
        passedOver++;
      } else {
        boolean isWrong = entry.integer("wrong", 0) > 0 || entry.integer("wrongInPlace", 0) > 0;
        (isWrong ? wrong : measurements).add(measurement(entry, ranks));
      }
    }
    String library = word(tree, isOld ? "nccl" : "ncclLibraryVersion");
    return new MeasuredRun(
        tree.file(),
        RunOrigin.ofVersion(library),
        job.count("nodes"),
        gpusPerProcess(tree, ranks),
        KnownSettings.of(settings),
        tree.texts("systems"),
        measurements,
        wrong,
        passedOver,
        List.of(),
        List.of(),
        List.of());
  }

  /**
   * GPUs per process: one process drives all GPUs of a host, unless the devices name their
   * processes.
   */
  private static OptionalInt gpusPerProcess(JsonTree tree, int ranks) {
    long processes =
        tree.entries("devices").stream()
            .map(
                device ->
                    device.text("host").orElse("")
                        + (device.has("pid") ? " " + device.get("pid").integer() : ""))
            .distinct()
            .count();
    return processes == 0 ? OptionalInt.empty() : OptionalInt.of((int) (ranks / processes));
  }

  private static Measurement measurement(JsonTree entry, int ranks) {
    String name = entry.get("collective").text();
    Collective collective =
        TestedCollective.of(name)
            .orElseThrow(() -> entry.wrongHere("the collective " + name + " is not known"));
    try {
      Measurement measurement =
          new Measurement(
              ranks,
              collective,
              entry.get("forced").bool() ? Optional.of(pair(entry)) : Optional.empty(),
              OptionalInt.empty(),
              entry.get("bytes").integer(),
              entry.get("timeUs").number(),
              entry.get("timeUsInPlace").number());
      entry
          .number("busbwGBps")
          .ifPresent(busbw -> Measurement.checkBusbw(measurement, busbw, false));
      entry
          .number("busbwGBpsInPlace")
          .ifPresent(busbw -> Measurement.checkBusbw(measurement, busbw, true));
      return measurement;
    } catch (IllegalArgumentException e) {
      throw entry.wrongHere(String.valueOf(e.getMessage()));
    }
  }

  private static Pair pair(JsonTree entry) {
    String algorithm = entry.get("algorithm").text();
    String protocol = entry.get("protocol").text();
    return new Pair(
        Algorithm.ofLabel(algorithm)
            .orElseThrow(() -> entry.wrongHere("the algorithm " + algorithm + " is not known")),
        Protocol.ofLabel(protocol)
            .orElseThrow(() -> entry.wrongHere("the protocol " + protocol + " is not known")));
  }
}
