package dev.topo.accuracy;

import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.evaluate.CallPlanner;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobRequest.CallContext;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.timing.CallShape;
import dev.topo.simulator.timing.NodeCall;
import dev.topo.simulator.timing.PeerShape;
import dev.topo.simulator.timing.TimingModel;
import dev.topo.simulator.verdict.CalibrationFit.FitObservation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A time inside one node that AI Configurator publishes (ai-dynamo/aiconfigurator, commit
 * 095f58a5): nccl-tests with one process and a thread for each GPU, out of place, multicast on, the
 * median of the runs. The host, the board and the settings are not stated; the machine of this
 * project that is most similar stands for it.
 *
 * @param nccl the release that is stated; of 2.23 the third number is unknown
 * @param runs how many runs the time is the median of
 */
record GenerationRow(
    String system,
    int gpus,
    String nccl,
    Operation operation,
    DataType type,
    long bytes,
    double timeUs,
    int runs) {
  /** How sizes are told apart: what launches and steps decide, and what bandwidth does. */
  enum Band {
    SMALL("below 256 KiB", 0),
    MIDDLE("256 KiB to 1 MiB", 256 << 10),
    LARGE("1 to 16 MiB", 1 << 20),
    LARGEST("16 MiB and more", 16 << 20);

    private final String label;
    private final long fromBytes;

    Band(String label, long fromBytes) {
      this.label = label;
      this.fromBytes = fromBytes;
    }

    String label() {
      return label;
    }

    long fromBytes() {
      return fromBytes;
    }

    static Band of(long bytes) {
      Band band = SMALL;
      for (Band one : values()) {
        band = bytes >= one.fromBytes ? one : band;
      }
      return band;
    }
  }

  private record JobKey(String system, int gpus, String nccl) {}

  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Map<String, String> MACHINES =
      Map.of(
          "a100-sxm", "dgx-a100.xml",
          "h100-sxm", "dgx-h100.xml",
          "b200-sxm", "hgx-b200.xml",
          "gb200", "gb200-tray.xml",
          "l40s", "l40s-8-switched.xml");
  private static final Map<String, String> CALIBRATIONS =
      Map.of(
          "a100-sxm", "a100-nvswitch",
          "h100-sxm", "h100-nvswitch",
          "b200-sxm", "b200-nvswitch",
          "gb200", "gb200-nvswitch",
          "l40s", "pcie");

  /**
   * The profiles that stand for releases whose rules are the same, or whose number is not whole.
   */
  private static final Map<String, String> PROFILES = Map.of("2.23", "2.23.4", "2.29.2", "2.29.3");

  /**
   * What NCCL makes of a row.
   *
   * @param shape what determines its time
   * @param choice NCCL's choice; empty for sends and receives
   */
  private record Laid(NodeCall shape, Optional<Choice> choice) {}

  /** All rows with what NCCL makes of them, made once in a JVM. */
  private static final class Rows {
    private static final Map<GenerationRow, Laid> LAID = lay(read());
  }

  /** All rows, in their order. */
  static Set<GenerationRow> all() {
    return Collections.unmodifiableSet(Rows.LAID.keySet());
  }

  private static Map<GenerationRow, Laid> lay(List<GenerationRow> rows) {
    Map<JobKey, CallPredictor> predictors = new HashMap<>();
    Map<GenerationRow, Laid> laid = new LinkedHashMap<>();
    for (GenerationRow row : rows) {
      CallPredictor predictor =
          predictors.computeIfAbsent(
              new JobKey(row.system, row.gpus, row.nccl), GenerationRow::predictor);
      laid.put(row, row.lay(predictor));
    }
    return laid;
  }

  private static List<GenerationRow> read() {
    try {
      List<GenerationRow> rows = new ArrayList<>();
      List<String> lines =
          Files.readAllLines(ROOT.resolve("src/test/resources/published/aiconfigurator.csv"));
      for (String line : lines.subList(1, lines.size())) {
        String[] cells = line.split(",", -1);
        rows.add(
            new GenerationRow(
                cells[0],
                Integer.parseInt(cells[1]),
                cells[2],
                Operation.ofName(cells[3]).orElseThrow(),
                cells[4].equals("half") ? DataType.FLOAT16 : DataType.INT8,
                Long.parseLong(cells[5]),
                Double.parseDouble(cells[6]),
                Integer.parseInt(cells[7])));
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The name of the calibration that is for its system. */
  String calibration() {
    return CALIBRATIONS.get(system);
  }

  Band band() {
    return Band.of(bytes);
  }

  /** The times of a calibration: in these runs launches never show. */
  static TimingModel model(Calibration constants) {
    return new TimingModel(constants).withLaunchUs(0);
  }

  /** What determines its time: NCCL's choice on the machine. */
  NodeCall shape() {
    return laid().shape;
  }

  /** NCCL's choice; empty for sends and receives. */
  Optional<Choice> choice() {
    return laid().choice;
  }

  private Laid laid() {
    return Objects.requireNonNull(Rows.LAID.get(this));
  }

  private Laid lay(CallPredictor predictor) {
    if (operation instanceof PeerOperation peers) {
      PeerPredictor of = PeerPredictor.of(predictor).orElseThrow();
      return new Laid(of.shape(peers, bytes).orElseThrow(), Optional.empty());
    }
    CallPlanner planner = predictor.planner();
    return new Laid(
        planner.shape(call(), Optional.empty(), false).orElseThrow(),
        planner.choice(call(), Optional.empty()));
  }

  /** What NCCL's own model says; empty for sends and receives. */
  OptionalDouble ncclUs() {
    return choice()
        .map(choice -> OptionalDouble.of(choice.timeUs()))
        .orElse(OptionalDouble.empty());
  }

  /** The protocol and the channels of sends and receives. */
  String protocol() {
    return shape() instanceof PeerShape peers
        ? "%s on %d".formatted(peers.protocol().label(), peers.channels())
        : "";
  }

  /** As a fit takes it. */
  FitObservation observation() {
    return observation(1);
  }

  /** The same with another weight. */
  FitObservation observation(double weight) {
    return new FitObservation(shape(), timeUs, weight, bytes);
  }

  /** Whether it ran by NVLS. */
  boolean isMulticast() {
    return shape() instanceof CallShape call && call.algorithm() == Algorithm.NVLS;
  }

  private CollectiveCall call() {
    return new CollectiveCall((Collective) operation, bytes, type, ReductionOperator.SUM, 1);
  }

  private static CallPredictor predictor(JobKey job) {
    NcclProfile profile = NcclProfile.of(PROFILES.getOrDefault(job.nccl, job.nccl));
    Topology topology =
        new TopologyReader(UnknownElements.REJECTED, profile)
            .read(
                ROOT.resolve("topologies").resolve(MACHINES.get(job.system)),
                GpuSelection.of(IntStream.range(0, job.gpus).boxed().collect(Collectors.toSet())),
                new Diagnostics());
    Machine machine = new Machine(topology, NcclSettings.DEFAULTS);
    return new JobEvaluator()
        .evaluate(
            JobRequest.of(Job.ofEqual(machine, 1), profile, List.of())
                .withContext(CallContext.USUAL.withGpusPerProcess(1)))
        .predictor();
  }
}
