package dev.topo.visualizer.hardware;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.topo.hw.run.Blocking;
import dev.topo.hw.run.CallResult;
import dev.topo.hw.run.IterationTimes;
import dev.topo.hw.run.Repetition;
import dev.topo.hw.run.Row;
import dev.topo.hw.run.RunEvent;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.SizeSweep;
import dev.topo.hw.run.UsedDevice;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A run in the JSON of nccl-tests 2.19.6, version 3 of its format ({@code nccl-tests:src/util.cu}).
 * Of the environment only what NCCL and CUDA read is in it.
 */
public final class NcclTestsJson {
  private static final int FORMAT_VERSION = 3;

  /**
   * The process that ran.
   *
   * @param arguments its command line
   * @param environment its variables
   * @param startTime when it began, local time
   * @param endTime when it ended
   */
  public record Circumstances(
      List<String> arguments, Map<String, String> environment, String startTime, String endTime) {
    public Circumstances {
      arguments = List.copyOf(arguments);
      environment = Map.copyOf(environment);
    }
  }

  @JsonNaming(SnakeCaseStrategy.class)
  private record Run(
      int version,
      String startTime,
      List<String> args,
      List<String> env,
      int ncclVersion,
      Config config,
      List<Result> results,
      OutOfBounds outOfBounds,
      AverageBandwidth averageBusBandwidth,
      List<String> errors,
      String endTime) {}

  @JsonNaming(SnakeCaseStrategy.class)
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  private record Config(
      int nthreads,
      int ngpus,
      long minimumBytes,
      long maximumBytes,
      OptionalLong stepFactor,
      OptionalLong stepBytes,
      int warmupIters,
      int iterations,
      int aggregatedIterations,
      int validation,
      int graph,
      String blockingCollectives,
      String perIterTiming,
      int perIterSkip,
      String parallelInit,
      List<Device> devices) {}

  @JsonNaming(SnakeCaseStrategy.class)
  private record Device(
      int rank,
      int group,
      long pid,
      String hostname,
      int device,
      String deviceHex,
      String deviceInfo) {}

  @JsonNaming(SnakeCaseStrategy.class)
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  private record Result(
      long size,
      long count,
      String type,
      String redop,
      String root,
      Side outOfPlace,
      Optional<Iterations> outOfPlacePerIter,
      Side inPlace,
      Optional<Iterations> inPlacePerIter,
      int actualIterations,
      String experimentName) {}

  @JsonNaming(SnakeCaseStrategy.class)
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  private record Side(
      OptionalDouble cpuTime,
      OptionalDouble time,
      double algBw,
      double busBw,
      @JsonInclude(JsonInclude.Include.ALWAYS) OptionalLong nwrong,
      OptionalDouble ncclEstimateUs) {}

  @JsonNaming(SnakeCaseStrategy.class)
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  private record Iterations(
      int skippedIterations,
      double minUs,
      double maxUs,
      double avgUs,
      double p50Us,
      double p95Us,
      double p99Us,
      double stdevUs,
      double cvPct,
      List<Double> timesUs,
      List<List<Double>> perProcessMaxTimesUs) {}

  private record OutOfBounds(long count, String okay) {}

  private record AverageBandwidth(double bandwidth, String okay) {}

  private NcclTestsJson() {}

  /** The run as JSON. */
  public static Answer of(
      RunRequest request,
      RunEvent.Started started,
      List<Row> rows,
      RunSummary summary,
      Circumstances circumstances) {
    return Json.foreign(
        new Run(
            FORMAT_VERSION,
            circumstances.startTime(),
            circumstances.arguments(),
            circumstances.environment().entrySet().stream()
                .filter(e -> e.getKey().startsWith("NCCL_") || e.getKey().startsWith("CUDA_"))
                .map(e -> e.getKey() + "=" + e.getValue())
                .sorted()
                .toList(),
            started.ncclVersion(),
            config(request, started),
            rows.stream().map(row -> row(request, row)).toList(),
            new OutOfBounds(
                summary.wrongMeasurements(), String.valueOf(summary.wrongMeasurements() == 0)),
            new AverageBandwidth(
                summary.averageBusbwGBps(),
                summary.belowExpected().map(below -> String.valueOf(!below)).orElse("unchecked")),
            List.of(),
            circumstances.endTime()));
  }

  /** nccl-tests writes truth values as text. */
  private static Config config(RunRequest request, RunEvent.Started started) {
    SizeSweep sweep = request.calls().sweep();
    Repetition repetition = request.repetition();
    boolean isByFactor = sweep.factor() > 1;
    return new Config(
        request.use().threads(),
        request.use().gpusPerThread(),
        sweep.minBytes(),
        Math.min(sweep.maxBytes(), started.bufferBytes()),
        isByFactor ? OptionalLong.of(sweep.factor()) : OptionalLong.empty(),
        isByFactor ? OptionalLong.empty() : OptionalLong.of(sweep.stepBytes()),
        repetition.warmUps(),
        repetition.iterations(),
        repetition.aggregated(),
        repetition.checks(),
        repetition.graphLaunches(),
        String.valueOf(repetition.blocking() != Blocking.NONE),
        String.valueOf(request.reporting().iterations()),
        request.reporting().skippedIterations(),
        "false",
        started.devices().stream().map(NcclTestsJson::device).toList());
  }

  private static Device device(UsedDevice device) {
    return new Device(
        device.rank(),
        device.color(),
        device.pid(),
        device.host(),
        device.device(),
        device.cardBusId(),
        device.name());
  }

  private static Result row(RunRequest request, Row row) {
    return new Result(
        row.sizeBytes(),
        row.count(),
        row.type().label(),
        row.operator(),
        String.format(Locale.ROOT, "%6d", row.root()),
        side(request, row.outOfPlace()),
        iterations(request, row.outOfPlace()),
        side(request, row.inPlace()),
        iterations(request, row.inPlace()),
        request.repetition().iterations(),
        "");
  }

  private static Optional<Iterations> iterations(RunRequest request, CallResult one) {
    IterationTimes times = one.iterations();
    if (!times.areMeasured()) {
      return Optional.empty();
    }
    int skipped = request.reporting().skippedIterations();
    IterationStatistics each = IterationStatistics.of(times.longestUs(skipped));
    return Optional.of(
        new Iterations(
            skipped,
            each.min(),
            each.max(),
            each.mean(),
            each.p50(),
            each.p95(),
            each.p99(),
            each.deviation(),
            each.cvPercent(),
            times.longestUs(0),
            times.processesUs().size() > 1 ? times.processesUs() : List.of()));
  }

  private static Side side(RunRequest request, CallResult one) {
    boolean isCpu = request.reporting().cpuTime();
    return new Side(
        isCpu ? OptionalDouble.of(one.cpuTimeUs()) : OptionalDouble.empty(),
        isCpu ? OptionalDouble.empty() : OptionalDouble.of(one.timeUs()),
        one.algbwGBps(),
        one.busbwGBps(),
        one.wrong(),
        one.estimateUs());
  }
}
