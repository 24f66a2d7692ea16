package dev.topo.inspect.measured;

import dev.topo.inspect.log.FailureSign;
import dev.topo.inspect.log.FailureSign.Kind;
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
 * settings. Used once.
 */
final class NcclTestsJsonFile {
  private static final String RUN = "run";

  private final JsonTree tree;
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<Measurement> wrong = new ArrayList<>();
  private final List<PeerMeasurement> peers = new ArrayList<>();
  private final List<PeerMeasurement> wrongPeers = new ArrayList<>();
  private int passedOver;

  private NcclTestsJsonFile(JsonTree tree) {
    this.tree = tree;
  }

  static MeasuredRun read(JsonTree tree, RunHints hints) {
    if (!tree.has("results") || !tree.has("config")) {
      throw tree.wrong(
          "has no results[] and config, expected JSON of nccl-tests or a result of topo verify");
    }
    return new NcclTestsJsonFile(tree).run(hints);
  }

  private MeasuredRun run(RunHints hints) {
    Optional<String> test = test(tree.texts("args"));
    List<JsonTree> rows = tree.entries("results");
    Map<String, String> environment = environment();
    Optional<PeerOperation> peer = TestedCollective.peer(test, hints);
    if (peer.isPresent()) {
      int nGpus = nGpus();
      rows.forEach(row -> addPeer(row, peer.get(), nGpus));
    } else {
      Optional<Pair> forced = KnownSettings.forced(environment).or(hints::forced);
      Collective collective = collective(test, hints);
      int nGpus = nGpus();
      rows.forEach(row -> addCollective(row, collective, forced, nGpus));
    }
    List<String> hosts =
        devices().stream().flatMap(device -> device.text("hostname").stream()).distinct().toList();
    return new MeasuredRun(
        tree.file(),
        tree.has("nccl_version")
            ? RunOrigin.ofVersion(tree.get("nccl_version").node().asString(""))
            : RunOrigin.UNKNOWN,
        hosts.isEmpty() ? OptionalInt.empty() : OptionalInt.of(hosts.size()),
        gpusPerThread(),
        KnownSettings.of(environment),
        List.of(),
        measurements,
        wrong,
        passedOver,
        remarks(),
        peers,
        failures());
  }

  private Collective collective(Optional<String> test, RunHints hints) {
    return test.flatMap(TestedCollective::of)
        .or(() -> TestedCollective.collective(Optional.empty(), hints))
        .orElseThrow(
            () ->
                tree.wrong(
                    SpecText.of("args name no collective: name it with %s", SpecField.COLLECTIVE)));
  }

  /** Adds the measurement in a row of a collective, unless it has no data. */
  private void addCollective(
      JsonTree row, Collective collective, Optional<Pair> forced, int nGpus) {
    long size = row.get("size").integer();
    if (size == 0) {
      passedOver++;
      return;
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
      checkBusbw(measurement, outOfPlace, false);
      checkBusbw(measurement, inPlace, true);
      (isWrong(outOfPlace) || isWrong(inPlace) ? wrong : measurements).add(measurement);
    } catch (IllegalArgumentException e) {
      throw row.wrongHere(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Adds the measurement in a row of sends and receives, unless it has no data or a wrong result;
   * the row measures no collective.
   */
  private void addPeer(JsonTree row, PeerOperation operation, int nGpus) {
    passedOver++;
    JsonTree outOfPlace = row.get("out_of_place");
    JsonTree inPlace = row.get("in_place");
    long size = row.get("size").integer();
    if (size == 0) {
      return;
    }
    try {
      PeerMeasurement measurement =
          new PeerMeasurement(nGpus, operation, size, timeUs(outOfPlace), timeUs(inPlace));
      checkBusbw(measurement, outOfPlace, false);
      (isWrong(outOfPlace) || isWrong(inPlace) ? wrongPeers : peers).add(measurement);
    } catch (IllegalArgumentException e) {
      throw row.wrongHere(String.valueOf(e.getMessage()));
    }
  }

  /** Rejects a time that does not fit the bandwidth beside it, if there is one. */
  private static void checkBusbw(
      MeasuredOperation measurement, JsonTree placement, boolean inPlace) {
    placement
        .number("bus_bw")
        .ifPresent(busbw -> Measurement.checkBusbw(measurement, busbw, inPlace));
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

  /** Evidence that the run failed, beside rows of collectives with wrong results. */
  private List<FailureSign> failures() {
    List<FailureSign> failures = new ArrayList<>();
    if (!wrongPeers.isEmpty()) {
      failures.add(
          MeasuredRun.wrongResults(
              tree.file(), wrongPeers.size(), peers.size(), wrongPeers.get(0)));
    }
    long outside = tree.has("out_of_bounds") ? tree.get("out_of_bounds").integer("count", 0) : 0;
    if (outside > 0 && wrong.isEmpty() && wrongPeers.isEmpty()) {
      failures.add(
          FailureSign.of(Kind.WRONG_RESULTS, tree.file(), outside + " values are out of bounds"));
    }
    tree.texts("errors").stream()
        .filter(error -> !error.isBlank())
        .forEach(error -> failures.add(FailureSign.of(Kind.STOPPED, tree.file(), error)));
    return failures;
  }

  /** Reasons to doubt that the times are those of single calls of usual data. */
  private List<String> remarks() {
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

  /** Number of GPUs whose kernels a thread launches; 0 if a CUDA graph holds the kernels. */
  private OptionalInt gpusPerThread() {
    JsonTree config = tree.get("config");
    if (config.integer("graph", 0) > 0) {
      return OptionalInt.of(0);
    }
    return config.count("ngpus");
  }

  /**
   * Number of GPUs: nccl-tests lists only the first GPU of each process, {@code topo run} all of
   * them.
   */
  private int nGpus() {
    JsonTree config = tree.get("config");
    long gpusPerProcess = config.integer("nthreads", 1) * config.integer("ngpus", 1);
    List<JsonTree> devices = devices();
    boolean isFirstOnly =
        gpusPerProcess > 1
            && devices.stream().allMatch(device -> device.integer("rank", 1) % gpusPerProcess == 0);
    return (int) (isFirstOnly ? devices.size() * gpusPerProcess : devices.size());
  }

  /** Devices of the first communicator; after a split there are several groups. */
  private List<JsonTree> devices() {
    return tree.get("config").get("devices").entries().stream()
        .filter(device -> device.integer("group", 0) == 0)
        .toList();
  }

  private static boolean isWrong(JsonTree placement) {
    return placement.number("nwrong").orElse(0) > 0;
  }

  /** The time of calls out of place, or in place; fails for the time until calls are queued. */
  private static double timeUs(JsonTree placement) {
    if (placement.has("cpu_time")) {
      throw placement.wrong(MeasuredRun.OF_QUEUEING);
    }
    return placement.get("time").number();
  }

  /** The environment variables of the run, from {@code NAME=VALUE} texts. */
  private Map<String, String> environment() {
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
