package dev.topo.accuracy;

import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.Protocol;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.advice.Alternative;
import dev.topo.simulator.advice.Setup;
import dev.topo.simulator.advice.SetupPredictor;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;

/** Measured effects of levers on two H200, and what is predicted for them. */
final class LeverRuns {
  private static final Path FOLDER =
      Path.of(System.getProperty("topo.root"))
          .resolve("src/test/resources/measured/h200-x2-processes");

  private static final Map<Setup, SetupPredictor> PREDICTORS = new HashMap<>();

  private LeverRuns() {}

  /** A lever as the files name it: buffers, forced pair and CTAs. */
  record Named(Buffers buffers, Optional<Pair> pair, int ctas, int peerChannels) {
    Setup setup() {
      Setup setup = Setup.of(buffers);
      setup = ctas == 0 ? setup : setup.with(Setup.CHANNELS, ctas).with("NCCL_MAX_CTAS", ctas);
      return peerChannels == 0
          ? setup
          : setup
              .with(Setup.PEER_CHANNELS, peerChannels)
              .with("NCCL_MAX_P2P_NCHANNELS", peerChannels);
    }
  }

  /**
   * A measured call.
   *
   * @param lever its name in the file
   * @param named what it is; empty for levers whose effect is not predicted
   */
  record Run(String lever, Optional<Named> named, Call call, double timeUs, double inPlaceUs) {
    /**
     * Whether rules may be made from it: every second size of each operation, of two operations the
     * other ones, so that each range of sizes has some. Costs of sends and receives are fitted to
     * the same sizes.
     */
    boolean isForRules() {
      int first =
          call.operation() == Collective.ALL_REDUCE || call.operation() == Collective.BROADCAST
              ? 1
              : 0;
      return (Long.numberOfTrailingZeros(call.sizeBytes()) / 2 + first) % 2 == 0;
    }

    /** What is predicted for it; empty where NCCL refuses or ignores the pair. */
    Optional<Alternative> predicted() {
      Named is = named.orElseThrow();
      SetupPredictor predictor = predictor(is.setup());
      return is.pair.isEmpty()
          ? predictor.byChoice(call)
          : predictor.byPairs(call).stream()
              .filter(one -> one.forced().equals(is.pair))
              .findFirst()
              .or(
                  () ->
                      predictor
                          .byChoice(call)
                          .filter(
                              one ->
                                  one.algorithm().equals(is.pair.map(Pair::algorithm))
                                      && one.protocol().equals(is.pair.map(Pair::protocol))));
    }
  }

  static JobRequest request() {
    return JobRequest.of(
        Job.ofEqual(
            new Machine(
                MeasuredSets.topology("h200-x2.topo.xml"),
                NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0"))),
            1),
        List.of());
  }

  private static SetupPredictor predictor(Setup setup) {
    return PREDICTORS.computeIfAbsent(
        setup, one -> SetupPredictor.of(new JobEvaluator(), request(), one));
  }

  /** The call by default. */
  static Alternative now(Call call) {
    return predictor(Setup.of(Buffers.PLAIN)).byChoice(call).orElseThrow();
  }

  /** The campaign of all levers. */
  static List<Run> campaign() {
    return read("levers-2.csv", LeverRuns::named);
  }

  /** What was advised, and more, on another machine of the kind after the ranges were made. */
  static List<Run> followed() {
    return read("levers-3.csv", LeverRuns::named);
  }

  /** More channels of sends and receives, of the same campaign as {@link #followed}. */
  static List<Run> peerChannels() {
    return followed().stream()
        .filter(run -> run.lever.equals("default") || run.lever.matches("p2p\\d+"))
        .toList();
  }

  /** The first measurements of some of them. */
  static List<Run> first() {
    return read(
        "levers.csv",
        row -> {
          String lever = row.get("lever");
          return lever.equals("ctas")
              ? "%s-%s-ctas%s"
                  .formatted(
                      row.get("forced_algorithm").toLowerCase(Locale.ROOT),
                      row.get("forced_protocol").toLowerCase(Locale.ROOT),
                      row.get("ctas"))
              : lever;
        });
  }

  private static String named(CSVRecord row) {
    return row.get("lever").replace("default-b", "default");
  }

  /** The times of a lever by call, the mean where a file has it twice. */
  static Map<Call, Map<String, Run>> byCall(List<Run> runs) {
    Map<Call, Map<String, Run>> calls = new TreeMap<>(LeverRuns::compare);
    for (Run run : runs) {
      calls
          .computeIfAbsent(run.call, key -> new TreeMap<>())
          .merge(
              run.lever,
              run,
              (a, b) ->
                  new Run(
                      a.lever,
                      a.named,
                      a.call,
                      (a.timeUs + b.timeUs) / 2,
                      (a.inPlaceUs + b.inPlaceUs) / 2));
    }
    return calls;
  }

  private static int compare(Call a, Call b) {
    int byName = a.operation().ncclTestsName().compareTo(b.operation().ncclTestsName());
    return byName == 0 ? Long.compare(a.sizeBytes(), b.sizeBytes()) : byName;
  }

  private interface Naming {
    String of(CSVRecord row);
  }

  private static List<Run> read(String file, Naming naming) {
    List<Run> runs = new ArrayList<>();
    try (Reader reader = Files.newBufferedReader(FOLDER.resolve(file))) {
      for (CSVRecord row :
          CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get().parse(reader)) {
        String lever = naming.of(row);
        runs.add(
            new Run(
                lever,
                parse(lever),
                Call.of(
                    Operation.ofName(row.get("collective")).orElseThrow(),
                    Long.parseLong(row.get("bytes"))),
                Double.parseDouble(row.get("time_us")),
                Double.parseDouble(row.get("time_inplace_us"))));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return runs;
  }

  private static Optional<Named> parse(String lever) {
    Buffers buffers = Buffers.PLAIN;
    Optional<Algorithm> algorithm = Optional.empty();
    Optional<Protocol> protocol = Optional.empty();
    int ctas = 0;
    int peerChannels = 0;
    for (String part : lever.split("-")) {
      String number = part.replaceAll(".*\\D", "");
      if (part.matches("ctas\\d+")) {
        ctas = Integer.parseInt(number);
      } else if (part.matches("p2p\\d+")) {
        peerChannels = Integer.parseInt(number);
      } else if (part.equals("registered") || part.equals("symmetric")) {
        buffers = Buffers.valueOf(part.toUpperCase(Locale.ROOT));
      } else if (part.equals("default")) {
        continue;
      } else if (algorithm.isEmpty() && Algorithm.ofLabel(part).isPresent()) {
        algorithm = Algorithm.ofLabel(part);
      } else if (Protocol.ofLabel(part).isPresent()) {
        protocol = Protocol.ofLabel(part);
      } else {
        return Optional.empty();
      }
    }
    Optional<Protocol> known = protocol;
    return Optional.of(
        new Named(
            buffers, algorithm.map(one -> new Pair(one, known.orElseThrow())), ctas, peerChannels));
  }
}
