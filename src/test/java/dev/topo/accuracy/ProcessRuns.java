package dev.topo.accuracy;

import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.tuning.Tuner;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import dev.topo.simulator.calibration.NodeCosts;
import dev.topo.simulator.calibration.NodeCosts.NodeCost;
import dev.topo.simulator.evaluate.CallPlanner;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobRequest.CallContext;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.timing.TimingModel;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The runs of two GPUs with a process for each, and what is predicted for them. */
final class ProcessRuns {
  static final Calibration CALIBRATION = CalibrationFile.shipped("h200-nvswitch").orElseThrow();

  private static final Path FOLDER =
      Path.of(System.getProperty("topo.root"))
          .resolve("src/test/resources/measured/h200-x2-processes");

  private static final Map<PlannerKey, CallPlanner> PLANNERS = new ConcurrentHashMap<>();

  private ProcessRuns() {}

  /**
   * A measured call.
   *
   * @param set name of the file, with the lever where there is one
   * @param step sizes of its series are so many powers of two apart
   */
  record Run(
      String set,
      Operation operation,
      long bytes,
      Optional<Pair> forced,
      CallContext context,
      NcclSettings settings,
      int step,
      double timeUs,
      double inPlaceUs) {
    private Run ofOneProcess() {
      return new Run(
          set,
          operation,
          bytes,
          forced,
          context.withGpusPerProcess(2),
          settings,
          step,
          timeUs,
          inPlaceUs);
    }

    /** Whether constants are fitted to it: every second size of a series. */
    boolean isFitted() {
      return Long.numberOfTrailingZeros(bytes) / step % 2 == 0;
    }

    /** Whether a cost may count in its time. */
    boolean dependsOn(NodeCost cost) {
      String label = cost.label();
      return label.startsWith("peer.") || cost == NodeCost.LAUNCH_PEER
          ? operation instanceof PeerOperation
          : !label.startsWith("window.") || context.buffers() == Buffers.SYMMETRIC;
    }

    /** What the range of its prediction rests on. */
    String basis() {
      boolean window = context.buffers() == Buffers.SYMMETRIC && operation instanceof Collective;
      return CALIBRATION.name()
          + (operation instanceof PeerOperation
              ? KnownSpread.PEER
              : window ? KnownSpread.WINDOW : "");
    }

    Launch launch() {
      return Launch.of(context.gpusPerProcess(), 2);
    }

    double timeUs(boolean inPlace) {
      return inPlace ? inPlaceUs : timeUs;
    }
  }

  /** The runs by NCCL's choice. */
  static List<Run> defaults() {
    return read("default.csv", 1);
  }

  /** The runs on forced channels of sends and receives. */
  static List<Run> peerChannels() {
    return read("p2p-channels.csv", 2);
  }

  /** Sends and receives of one process for both GPUs. */
  static List<Run> oneProcess() {
    return read("p2p-one-process.csv", 1).stream().map(Run::ofOneProcess).toList();
  }

  /** The runs with other buffers and numbers of CTAs, and those by default beside them. */
  static List<Run> levers() {
    return read("levers.csv", 2);
  }

  /**
   * Registered buffers, symmetric windows and 32 CTAs of the campaign of all levers. Of it costs
   * are fitted to sends and receives on registered buffers, which the first runs have for alltoall
   * only.
   */
  static List<Run> campaign() {
    return read("levers-2.csv", 2).stream()
        .filter(run -> run.operation instanceof PeerOperation)
        .filter(run -> run.set.endsWith(" registered"))
        .toList();
  }

  /** Sizes between the powers of two on another day and machine of the kind: none is fitted. */
  static List<Run> betweenSizes() {
    return read("between-sizes.csv", 1);
  }

  /** Runs with fewer threads of a block than NCCL starts by default, and with as many. */
  static List<Run> blockThreads() {
    return read("block-threads.csv", 2);
  }

  /**
   * Nine operations on another host, in most files with its launches measured at the same time.
   *
   * @param file launches-known.csv, or that of another host
   * @param way processes or threads: one for each GPU; one: one thread for both
   */
  static List<Run> launchesKnown(String file, String way) {
    return read(file, 1).stream()
        .filter(run -> run.set().equals(file + " " + way))
        .map(run -> way.equals("one") ? run.ofOneProcess() : run)
        .toList();
  }

  /** All of them that constants may be fitted to. */
  static List<Run> all() {
    return Stream.of(defaults(), peerChannels(), oneProcess(), levers())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Run> read(String file, int step) {
    List<Run> runs = new ArrayList<>();
    try (Reader reader = Files.newBufferedReader(FOLDER.resolve(file))) {
      for (CSVRecord row :
          CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get().parse(reader)) {
        runs.add(run(file, row, step));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return runs;
  }

  private static Run run(String file, CSVRecord row, int step) {
    String lever =
        row.isMapped("lever") ? row.get("lever") : row.isMapped("way") ? row.get("way") : "";
    List<String> settings = new ArrayList<>(List.of("NCCL_NVLS_ENABLE=0"));
    boolean ctas = lever.equals("ctas");
    if (ctas) {
      settings.add("NCCL_MIN_CTAS=" + row.get("ctas"));
      settings.add("NCCL_MAX_CTAS=" + row.get("ctas"));
    }
    if (row.isMapped("setting")) {
      settings.add(row.get("setting"));
    }
    if (row.isMapped("p2p_channels")) {
      settings.add("NCCL_MIN_P2P_NCHANNELS=" + row.get("p2p_channels"));
      settings.add("NCCL_MAX_P2P_NCHANNELS=" + row.get("p2p_channels"));
    }
    return new Run(
        lever.isEmpty() ? file : file + " " + lever,
        Operation.ofName(row.get("collective")).orElseThrow(),
        Long.parseLong(row.get("bytes")),
        pair(row),
        CallContext.USUAL.withBuffers(
            lever.equals("registered") || lever.equals("symmetric")
                ? Buffers.valueOf(lever.toUpperCase(Locale.ROOT))
                : Buffers.PLAIN),
        NcclSettings.parse(settings),
        ctas ? 3 : step,
        Double.parseDouble(row.get("time_us")),
        Double.parseDouble(row.get("time_inplace_us")));
  }

  private static Optional<Pair> pair(CSVRecord row) {
    return row.isMapped("forced_algorithm") && !row.get("forced_algorithm").isEmpty()
        ? Optional.of(
            new Pair(
                Algorithm.ofLabel(row.get("forced_algorithm")).orElseThrow(),
                Protocol.ofLabel(row.get("forced_protocol")).orElseThrow()))
        : Optional.empty();
  }

  private record PlannerKey(NcclSettings settings, CallContext context) {}

  private static CallPlanner planner(Run run) {
    NcclSettings of = run.settings;
    return PLANNERS.computeIfAbsent(
        new PlannerKey(of, run.context),
        key ->
            new JobEvaluator()
                .evaluate(
                    JobRequest.of(
                            Job.ofEqual(
                                new Machine(MeasuredSets.topology("h200-x2.topo.xml"), of), 1),
                            List.of())
                        .withContext(run.context))
                .predictor()
                .planner());
  }

  /** The predicted time of a run, with the constants given; empty if it is not predicted. */
  static OptionalDouble predict(Run run, boolean inPlace, NodeCosts costs) {
    return prediction(run, inPlace, new TimingModel(CALIBRATION, costs, 1), costs)
        .map(prediction -> OptionalDouble.of(prediction.timeUs()))
        .orElse(OptionalDouble.empty());
  }

  /** Whether a measured time is in the range of its prediction. */
  static boolean isInRange(Run run, boolean inPlace) {
    NodeCosts costs = NodeCosts.shipped();
    return isInRange(
        run,
        inPlace,
        prediction(run, inPlace, new TimingModel(CALIBRATION, costs, 1), costs).orElseThrow());
  }

  /** Whether a measured time is in the range of a prediction. */
  static boolean isInRange(Run run, boolean inPlace, Prediction prediction) {
    double us = run.timeUs(inPlace);
    return us >= prediction.shortestUs().orElseThrow()
        && us <= prediction.longestUs().orElseThrow();
  }

  /** The prediction of a run, on a host that takes so long to launch the kernel of a GPU. */
  static Prediction onHost(Run run, boolean inPlace, OptionalDouble launchUs) {
    NodeCosts costs = NodeCosts.shipped();
    TimingModel usual = new TimingModel(CALIBRATION, costs, 1);
    TimingModel model = launchUs.isPresent() ? usual.withLaunchUs(launchUs.getAsDouble()) : usual;
    return prediction(run, inPlace, model, costs).orElseThrow();
  }

  private static Optional<? extends Prediction> prediction(
      Run run, boolean inPlace, TimingModel model, NodeCosts costs) {
    return run.operation instanceof PeerOperation operation
        ? new PeerPredictor(planner(run), model, costs).predict(operation, run.bytes, inPlace)
        : new CallPredictor(planner(run), model, costs)
            .predict(CollectiveCall.of((Collective) run.operation, run.bytes), run.forced, inPlace);
  }

  /** The errors of the runs that constants are fitted to, or of the others. */
  static Errors errors(List<Run> runs, boolean fitted, boolean inPlace) {
    return errors(runs.stream().filter(run -> run.isFitted() == fitted).toList(), inPlace);
  }

  /** The errors of all these runs. */
  static Errors errors(List<Run> runs, boolean inPlace) {
    return Errors.of(
        runs.stream()
            .mapToDouble(
                run ->
                    predict(run, inPlace, NodeCosts.shipped()).orElseThrow() / run.timeUs(inPlace)
                        - 1)
            .toArray());
  }

  /** AllReduce of two groups at once: time of both by size. */
  static Map<Long, Double> twoGroups() {
    Map<Long, Double> times = new TreeMap<>();
    try {
      for (JsonNode row :
          new JsonMapper().readTree(Files.readString(FOLDER.resolve("concurrent.json")))) {
        if (row.has("two_us")) {
          times.put(row.get("bytes").asLong(), row.get("two_us").asDouble());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return times;
  }

  /** The predicted time of two groups at once. */
  static double predictTwoGroups(Collective collective, long bytes) {
    Machine machine =
        new Machine(
            MeasuredSets.topology("h200-x2.topo.xml"),
            NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0")));
    return new JobEvaluator()
        .evaluate(
            JobRequest.of(Job.ofEqual(machine, 1), List.of())
                .withContext(CallContext.USUAL.withGroups(2)))
        .predictor()
        .predict(CollectiveCall.of(collective, bytes), false)
        .orElseThrow()
        .timeUs();
  }

  /** NCCL's own estimate of a collective in plain buffers; empty for others. */
  static OptionalDouble ncclUs(Run run) {
    if (run.context.buffers() != Buffers.PLAIN
        || !(run.operation instanceof Collective collective)) {
      return OptionalDouble.empty();
    }
    Tuner tuner = planner(run).communicator().tuner();
    CollectiveCall call = CollectiveCall.of(collective, run.bytes);
    return run.forced
        .map(pair -> tuner.decide(call, pair.algorithm(), pair.protocol()))
        .orElseGet(() -> tuner.decide(call))
        .choice()
        .map(choice -> OptionalDouble.of(choice.timeUs()))
        .orElse(OptionalDouble.empty());
  }

  /** The errors by set and operation, those of the fit and of the sizes left out of it. */
  static AccuracyFile file() {
    AccuracyFile file =
        new AccuracyFile(
            "runs,operation,place,fitted,fitted_median_percent,fitted_p90_percent,left_out,median_percent,p90_percent");
    Map<String, Map<String, List<Run>>> groups = new TreeMap<>();
    for (Run run : all()) {
      Map<String, List<Run>> own = groups.computeIfAbsent(run.set, key -> new TreeMap<>());
      own.computeIfAbsent("all", key -> new ArrayList<>()).add(run);
      own.computeIfAbsent(run.operation.label(), key -> new ArrayList<>()).add(run);
    }
    groups.forEach(
        (set, operations) ->
            operations.forEach(
                (operation, runs) -> {
                  for (boolean inPlace : new boolean[] {false, true}) {
                    Errors fitted = errors(runs, true, inPlace);
                    Errors left = errors(runs, false, inPlace);
                    file.add(
                        set,
                        operation,
                        inPlace ? "in place" : "out of place",
                        fitted.count(),
                        AccuracyFile.median(fitted),
                        AccuracyFile.percentile90(fitted),
                        left.count(),
                        AccuracyFile.median(left),
                        AccuracyFile.percentile90(left));
                  }
                }));
    return file;
  }

  /** Two groups at once. */
  static AccuracyFile groupsFile() {
    AccuracyFile file =
        new AccuracyFile("collective,bytes,measured_us,predicted_us,signed_error_percent");
    twoGroups()
        .forEach(
            (bytes, us) -> {
              double predicted = predictTwoGroups(Collective.ALL_REDUCE, bytes);
              file.add(
                  Collective.ALL_REDUCE.label(),
                  bytes,
                  String.format(Locale.ROOT, "%.1f", us),
                  String.format(Locale.ROOT, "%.1f", predicted),
                  AccuracyFile.percent(predicted / us - 1));
            });
    return file;
  }
}
