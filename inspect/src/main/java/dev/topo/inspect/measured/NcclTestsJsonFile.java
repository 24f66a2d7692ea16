package dev.topo.inspect.measured;

import dev.topo.inspect.log.RunOrigin;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Reads a run from nccl-tests' JSON (version 3), as written by {@code -J} of nccl-tests and of
 * {@code topo run}. Only the command line in it names the test; its environment supplies the
 * settings.
 */
final class NcclTestsJsonFile {
  private static final String RUN = "run";

  private NcclTestsJsonFile() {}

  static MeasuredRun read(JsonTree tree, RunHints hints) {
    if (!tree.has("results") || !tree.has("config")) {
      throw tree.wrong(
          "has no results[] and config, expected JSON of nccl-tests or a result of topo verify");
    }
    Optional<String> test = test(tree.texts("args"));
    List<JsonTree> rows = tree.entries("results");
    Map<String, String> environment = environment(tree);
    Optional<PeerOperation> peer = test.flatMap(TestedCollective::peer);
    if (peer.isPresent()) {
      int ranks = nGpus(tree);
      return run(
          tree,
          environment,
          List.of(),
          List.of(),
          rows.size(),
          rows.stream().flatMap(row -> peer(row, peer.get(), ranks).stream()).toList());
    }
    Optional<Pair> forced = KnownSettings.forced(environment).or(hints::forced);
    Collective collective =
        test.flatMap(TestedCollective::of)
            .or(hints::collective)
            .orElseThrow(
                () ->
                    tree.wrong(
                        SpecText.of(
                            "args name no collective: name it with %s", SpecField.COLLECTIVE)));
    int nGpus = nGpus(tree);
    List<Measurement> measurements = new ArrayList<>();
    List<Measurement> wrong = new ArrayList<>();
    int passedOver = 0;
    for (JsonTree row : rows) {
      long size = row.get("size").integer();
      if (size == 0) {
        passedOver++;
        continue;
      }
      try {
        JsonTree outOfPlace = row.get("out_of_place");
        JsonTree inPlace = row.get("in_place");
        Measurement measurement =
            new Measurement(
                nGpus,
                collective,
                forced,
                OptionalInt.empty(),
                size,
                timeUs(outOfPlace),
                timeUs(inPlace));
        outOfPlace
            .number("bus_bw")
            .ifPresent(busbw -> Measurement.checkBusbw(measurement, busbw, false));
        inPlace
            .number("bus_bw")
            .ifPresent(busbw -> Measurement.checkBusbw(measurement, busbw, true));
        (isWrong(outOfPlace) || isWrong(inPlace) ? wrong : measurements).add(measurement);
      } catch (IllegalArgumentException e) {
        throw row.wrongHere(String.valueOf(e.getMessage()));
      }
    }
    return run(tree, environment, measurements, wrong, passedOver, List.of());
  }

  /** Measurement in a row of sends and receives; empty if it has no data or a wrong result. */
  private static Optional<PeerMeasurement> peer(JsonTree row, PeerOperation operation, int ranks) {
    JsonTree outOfPlace = row.get("out_of_place");
    JsonTree inPlace = row.get("in_place");
    if (row.get("size").integer() == 0 || isWrong(outOfPlace) || isWrong(inPlace)) {
      return Optional.empty();
    }
    try {
      PeerMeasurement measurement =
          new PeerMeasurement(
              ranks, operation, row.get("size").integer(), timeUs(outOfPlace), timeUs(inPlace));
      outOfPlace
          .number("bus_bw")
          .ifPresent(busbw -> Measurement.checkBusbw(measurement, busbw, false));
      return Optional.of(measurement);
    } catch (IllegalArgumentException e) {
      throw row.wrongHere(String.valueOf(e.getMessage()));
    }
  }

  /** What was tested: the program of nccl-tests, or the collective of {@code topo run}. */
  private static Optional<String> test(List<String> arguments) {
    if (!arguments.contains(RUN)) {
      return arguments.stream().findFirst();
    }
    return arguments.stream()
        .skip(arguments.indexOf(RUN))
        .filter(argument -> !argument.equals(RUN))
        .findFirst();
  }

  private static MeasuredRun run(
      JsonTree tree,
      Map<String, String> environment,
      List<Measurement> measurements,
      List<Measurement> wrong,
      int passed,
      List<PeerMeasurement> peers) {
    JsonTree config = tree.get("config");
    List<String> hosts =
        devices(tree).stream()
            .flatMap(device -> device.text("hostname").stream())
            .distinct()
            .toList();
    return new MeasuredRun(
        tree.file(),
        tree.has("nccl_version")
            ? RunOrigin.ofVersion(tree.get("nccl_version").node().asString(""))
            : RunOrigin.UNKNOWN,
        hosts.isEmpty() ? OptionalInt.empty() : OptionalInt.of(hosts.size()),
        gpusPerThread(config),
        KnownSettings.of(environment),
        List.of(),
        measurements,
        wrong,
        passed,
        remarks(tree),
        peers);
  }

  private static List<String> remarks(JsonTree tree) {
    JsonTree config = tree.get("config");
    Set<String> remarks = new LinkedHashSet<>();
    long aggregated = config.integer("aggregated_iterations", 1);
    if (aggregated > 1) {
      remarks.add(MeasuredRun.aggregated((int) aggregated));
    }
    if (config.has("blocking_collectives")
        && !config.get("blocking_collectives").node().asString().equals("false")) {
      remarks.add(MeasuredRun.OF_BLOCKING);
    }
    for (JsonTree row : tree.entries("results")) {
      MeasuredRun.ofType(row.text("type").orElse("float"), row.text("redop").orElse("none"))
          .ifPresent(remarks::add);
    }
    return List.copyOf(remarks);
  }

  private static OptionalInt gpusPerThread(JsonTree config) {
    if (config.integer("graph", 0) > 0) {
      return OptionalInt.of(0);
    }
    return config.count("ngpus");
  }

  /**
   * Number of GPUs: nccl-tests lists only the first GPU of each process, {@code topo run} all of
   * them.
   */
  private static int nGpus(JsonTree tree) {
    JsonTree config = tree.get("config");
    long gpusPerProcess = config.integer("nthreads", 1) * config.integer("ngpus", 1);
    List<JsonTree> devices = devices(tree);
    boolean isFirstOnly =
        gpusPerProcess > 1
            && devices.stream().allMatch(device -> device.integer("rank", 1) % gpusPerProcess == 0);
    return (int) (isFirstOnly ? devices.size() * gpusPerProcess : devices.size());
  }

  /** Devices of the first communicator; after a split there are several groups. */
  private static List<JsonTree> devices(JsonTree tree) {
    return tree.get("config").get("devices").entries().stream()
        .filter(device -> device.integer("group", 0) == 0)
        .toList();
  }

  private static boolean isWrong(JsonTree placement) {
    return placement.number("nwrong").orElse(0) > 0;
  }

  private static double timeUs(JsonTree placement) {
    if (placement.has("cpu_time")) {
      throw placement.wrong(MeasuredRun.OF_QUEUEING);
    }
    return placement.get("time").number();
  }

  private static Map<String, String> environment(JsonTree tree) {
    Map<String, String> environment = new LinkedHashMap<>();
    for (String text : tree.texts("env")) {
      int equals = text.indexOf('=');
      if (equals > 0) {
        environment.put(text.substring(0, equals), text.substring(equals + 1));
      }
    }
    return environment;
  }
}
