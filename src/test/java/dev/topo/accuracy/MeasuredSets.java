package dev.topo.accuracy;

import dev.topo.inspect.measured.Measurement;
import dev.topo.inspect.measured.MeasurementReader;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Protocol;
import dev.topo.search.path.PathFinder;
import dev.topo.search.path.Paths;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Calibration.MeasuredOn;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.verdict.CalibrationFit;
import dev.topo.simulator.verdict.CalibrationFit.FitObservation;
import dev.topo.simulator.verdict.CalibrationFit.FitResult;
import dev.topo.simulator.verdict.MeasuredSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What was measured on NVIDIA H200 GPUs behind an NVSwitch (2 or 4 of one virtual machine, driver
 * 580, CUDA 13.0, NCCL 2.28.9, multicast off, nccl-tests): when and how is in the README beside the
 * files.
 */
final class MeasuredSets {
  /** From this size on the runs with forced channels wait for the kernels, not for the launch. */
  static final long LARGE = 2 << 20;

  /**
   * Up to this size replays tell what kernels take before the data counts. Larger calls of these
   * runs find their data in the L2 cache: nccl-tests goes round buffers of the largest size, 16 MiB
   * here.
   */
  static final long SMALL = 256 << 10;

  /** Up to this size calls by LL wait for the launch only. */
  private static final long LAUNCH_ONLY = 1 << 10;

  /**
   * How much replays of two GPUs count: enough to tell what a kernel takes for each rank from what
   * it takes by itself, and for no more.
   */
  private static final double START_WEIGHT = 0.3;

  static final Path FOLDER =
      Path.of(System.getProperty("topo.root")).resolve("src/test/resources/measured");
  private static final NcclSettings SETTINGS = NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0"));

  private static final MeasuredOn MEASURED_ON =
      new MeasuredOn(Set.of("sm 90, NVSwitch"), 4, 4L << 30);

  private static final JobEvaluator EVALUATOR = new JobEvaluator();

  /** Those of sends and receives of two H200: ProcessRunsTest checks that they fit best. */
  private static final Map<Constant, Double> OF_PEERS =
      Map.of(Constant.PEER_START, 8.62, Constant.PEER_SIMPLE, 1.056);

  private MeasuredSets() {}

  static MeasuredSet x4() {
    return new MeasuredSet(
        "h200-x4",
        machine("h200-x4.topo.xml"),
        Optional.empty(),
        read("h200-x4.csv"),
        NcclProfile.DEFAULT,
        EVALUATOR);
  }

  static MeasuredSet x2() {
    return new MeasuredSet(
        "h200-x2",
        machine("h200-x2.topo.xml"),
        Optional.empty(),
        read("h200-x2.csv"),
        NcclProfile.DEFAULT,
        EVALUATOR);
  }

  /** Two GPUs, each with a thread of its own: medians of three runs up to 16 MiB. */
  static MeasuredSet threadsX2() {
    return new MeasuredSet(
            "h200-x2-threads",
            machine("h200-x2.topo.xml"),
            Optional.empty(),
            read("h200-x2-threads.csv"),
            NcclProfile.DEFAULT,
            EVALUATOR)
        .withGpusPerProcess(1);
  }

  /** Four GPUs, each with a thread of its own: medians of two or three runs up to 1 GiB. */
  static MeasuredSet threadsX4() {
    return new MeasuredSet(
            "h200-x4-threads",
            machine("h200-x4.topo.xml"),
            Optional.empty(),
            read("h200-x4-threads.csv"),
            NcclProfile.DEFAULT,
            EVALUATOR)
        .withGpusPerProcess(1);
  }

  /** Four GPUs that replay a CUDA graph of twenty calls. */
  static MeasuredSet graphsX4() {
    return new MeasuredSet(
            "h200-x4-graph",
            machine("h200-x4.topo.xml"),
            Optional.empty(),
            read("h200-x4-graph.csv"),
            NcclProfile.DEFAULT,
            EVALUATOR)
        .withGpusPerProcess(0);
  }

  /** Two GPUs that do: medians of three runs. */
  static MeasuredSet graphsX2() {
    return new MeasuredSet(
            "h200-x2-graph",
            machine("h200-x2.topo.xml"),
            Optional.empty(),
            read("h200-x2-graph.csv"),
            NcclProfile.DEFAULT,
            EVALUATOR)
        .withGpusPerProcess(0);
  }

  /** The same by Simple with NCCL_GRAPH_REGISTER=0: medians of two runs. */
  static MeasuredSet unregisteredX2() {
    NcclSettings off = SETTINGS.with(NcclSettings.parse(List.of("NCCL_GRAPH_REGISTER=0")));
    return new MeasuredSet(
            "h200-x2-graph-unregistered",
            new Machine(topology("h200-x2.topo.xml"), off),
            Optional.empty(),
            read("h200-x2-graph-unregistered.csv"),
            NcclProfile.DEFAULT,
            EVALUATOR)
        .withGpusPerProcess(0);
  }

  /** Two GPUs with forced numbers of channels, each GPU with a thread of its own. */
  static MeasuredSet channelsX2() {
    return new MeasuredSet(
            "h200-x2-channels",
            machine("h200-x2.topo.xml"),
            Optional.empty(),
            read("h200-x2-channels.csv"),
            NcclProfile.DEFAULT,
            EVALUATOR)
        .withGpusPerProcess(1);
  }

  /**
   * Four GPUs with forced numbers of channels, each GPU with a thread of its own, in buffers of 64
   * MiB: the smaller calls find their data in the L2 cache.
   */
  static MeasuredSet channelsThreadsX4() {
    return new MeasuredSet(
            "h200-x4-channels-threads",
            machine("h200-x4.topo.xml"),
            Optional.empty(),
            read("h200-x4-channels-threads.csv"),
            NcclProfile.DEFAULT,
            EVALUATOR)
        .withGpusPerProcess(1);
  }

  /** The same in buffers of 256 MiB, where all data comes from memory: one run. */
  static MeasuredSet channelsThreadsX4FromMemory() {
    return new MeasuredSet(
            "h200-x4-channels-threads-256m",
            machine("h200-x4.topo.xml"),
            Optional.empty(),
            read("h200-x4-channels-threads-256m.csv"),
            NcclProfile.DEFAULT,
            EVALUATOR)
        .withGpusPerProcess(1);
  }

  /**
   * The same by one process for all GPUs, on a host that takes 35 to 45 us for the launches of a
   * call: means of two runs.
   */
  static MeasuredSet channelsFromMemory() {
    return new MeasuredSet(
        "h200-x4-channels-256m",
        machine("h200-x4.topo.xml"),
        Optional.empty(),
        read("h200-x4-channels-256m.csv"),
        NcclProfile.DEFAULT,
        EVALUATOR);
  }

  /** Four GPUs with forced numbers of channels. */
  static MeasuredSet channels() {
    return new MeasuredSet(
        "h200-x4-channels",
        machine("h200-x4.topo.xml"),
        Optional.empty(),
        read("h200-x4-channels.csv"),
        NcclProfile.DEFAULT,
        EVALUATOR);
  }

  /** The four GPUs, NCCL told that they are something else. */
  static MeasuredSet declared(String what) {
    return new MeasuredSet(
        "declared-" + what,
        machine("declared-" + what + ".topo.xml"),
        Optional.of(machine("h200-x4.topo.xml")),
        read("declared-" + what + ".csv"),
        NcclProfile.DEFAULT,
        EVALUATOR);
  }

  private static Paths paths(String file) {
    return PathFinder.find(topology(file), SETTINGS, NcclProfile.DEFAULT);
  }

  private static Machine machine(String file) {
    return new Machine(topology(file), SETTINGS);
  }

  static Topology topology(String file) {
    return new TopologyReader().read(FOLDER.resolve(file), GpuSelection.ALL, new Diagnostics());
  }

  private static List<Measurement> read(String file) {
    try {
      return MeasurementReader.read(Files.readString(FOLDER.resolve(file)), file).measurements();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The least number of channels, and two others. */
  static boolean isFittedCount(Measurement measurement) {
    int channels = measurement.channels().orElseThrow();
    return channels == 1 || channels == 4 || channels == 12;
  }

  /**
   * The shipped calibration: fitted on four GPUs, their runs on 1, 4 and 12 channels, their small
   * replays of CUDA graphs, the machine that NCCL took for two sockets, runs on one channel with a
   * thread for each GPU of two or four, where every primitive of a kernel shows by itself, and the
   * smallest calls and replays of two GPUs, as what launches and kernels take for each GPU shows by
   * the number of GPUs only.
   *
   * @param which which measurements count, aside from those that tell launches apart, the two
   *     sockets and what others have published
   */
  static FitResult fit(Predicate<Measurement> which) {
    List<FitObservation> observations = ofFourGpus(which);
    observations.addAll(
        channelsX2()
            .observations(
                m -> m.sizeBytes() >= SMALL && m.channels().orElseThrow() == 1 && which.test(m),
                1));
    return fit(observations);
  }

  /** The fit to all that counts, made once in a JVM. */
  static FitResult fitToAll() {
    return FitToAll.RESULT;
  }

  private static final class FitToAll {
    private static final FitResult RESULT = fit(measurement -> true);
  }

  /** The same without the runs of two GPUs on one channel. */
  static FitResult fitToFourGpus() {
    return fit(ofFourGpus(measurement -> true));
  }

  private static FitResult fit(List<FitObservation> observations) {
    Set<Constant> free = EnumSet.allOf(Constant.class);
    free.remove(Constant.PCI_EFFICIENCY);
    free.removeAll(Constant.OF_NVLS_TREE);
    free.removeAll(Constant.OF_OTHER_CALLS);
    FitResult fit =
        new CalibrationFit(observations, Calibration.typical().withMeasuredOn(MEASURED_ON), free)
            .run("h200-nvswitch", ORIGIN, round -> {});
    Calibration all =
        GenerationFit.ofHopper(
            fit.calibration().with(OF_PEERS), GenerationFit.rows("h200-nvswitch"));
    return new FitResult(
        all.withPublished(Constant.OF_NVLS), fit.relativeErrors(), fit.rounds(), fit.heldOut());
  }

  private static List<FitObservation> ofFourGpus(Predicate<Measurement> ofX4) {
    List<FitObservation> observations = new ArrayList<>();
    observations.addAll(x4().observations(m -> m.forced().isPresent() && ofX4.test(m), 1));
    observations.addAll(
        channels()
            .observations(m -> m.sizeBytes() >= LARGE && isFittedCount(m) && ofX4.test(m), 1));
    observations.addAll(
        channelsThreadsX4FromMemory()
            .observations(
                m -> m.sizeBytes() >= LARGE && m.channels().orElseThrow() == 1 && ofX4.test(m), 1));
    observations.addAll(graphsX4().observations(m -> m.sizeBytes() <= SMALL && ofX4.test(m), 1));
    observations.addAll(x2().observations(MeasuredSets::isLaunchOnly, 1));
    observations.addAll(graphsX2().observations(MeasuredSets::isStartOnly, START_WEIGHT));
    observations.addAll(declared("chain").observations(MeasuredSets::isByRings, 1));
    observations.addAll(declared("pairs2s").observations(m -> m.sizeBytes() >= LARGE, 1));
    observations.addAll(PublishedRow.fittedTo("h200-nvswitch", row -> true));
    return observations;
  }

  /**
   * A fit to nothing but the sweep of four GPUs. What a process pays for a group of launches beside
   * those of its GPUs is set so that two GPUs take about 10 us and four about 19, as the README of
   * the measurements says.
   */
  static FitResult fitToSweepAlone() {
    Set<Constant> free = EnumSet.allOf(Constant.class);
    free.removeAll(Constant.OF_OTHER_CALLS);
    free.removeAll(
        EnumSet.of(
            Constant.PCI_EFFICIENCY,
            Constant.COPY_HOST,
            Constant.LAUNCH_BASE,
            Constant.KERNEL_PER_RANK,
            Constant.INDIRECT,
            Constant.KERNEL_REGISTERED,
            Constant.NVLS_STEP,
            Constant.NVLS_COPY,
            Constant.NVLS_TREE_START,
            Constant.NVLS_TREE_EFFICIENCY,
            Constant.NVLS_EFFICIENCY));
    Calibration start = Calibration.typical().with(Map.of(Constant.LAUNCH_BASE, 1.0));
    return new CalibrationFit(x4().observations(m -> m.forced().isPresent(), 1), start, free)
        .run("sweep alone", ORIGIN, round -> {});
  }

  static boolean isLaunchOnly(Measurement measurement) {
    return measurement.sizeBytes() <= LAUNCH_ONLY
        && measurement.forced().map(pair -> pair.protocol() == Protocol.LL).orElse(false);
  }

  /** Calls of the declared chain that NCCL makes by rings, which go over GPUs in between. */
  static boolean isByRings(Measurement measurement) {
    return Set.of(1L << 20, 2L << 20, 32L << 20).contains(measurement.sizeBytes());
  }

  /** The replays of two GPUs that are in the fit. */
  static boolean isStartOnly(Measurement measurement) {
    return measurement.sizeBytes() <= LAUNCH_ONLY
        && measurement.forced().map(pair -> pair.protocol() != Protocol.LL).orElse(false);
  }

  private static final String ORIGIN =
      "4 NVIDIA H200 (NVSwitch, virtual machine), driver 580, CUDA 13.0, NCCL 2.28.9, nccl-tests -g 4,"
          + " 2026-11-20 to 22, calls and replays of CUDA graphs; runs on one channel with a thread for each GPU; of 2 GPUs launch costs, the smallest replays and such runs; NVLS from busbw of 8 H100 and H200 that AI Configurator and ml-engineering published";
}
