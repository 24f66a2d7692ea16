package dev.topo.visualizer.hardware;

import dev.topo.hw.run.Blocking;
import dev.topo.hw.run.CallResult;
import dev.topo.hw.run.IterationTimes;
import dev.topo.hw.run.Repetition;
import dev.topo.hw.run.Row;
import dev.topo.hw.run.RunEvent.Started;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.SizeSweep;
import dev.topo.hw.run.UsedDevice;
import dev.topo.model.io.TextWriter;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run in the JSON format of nccl-tests 2.19.6, version 3 ({@code nccl-tests:src/util.cu}). Of the
 * environment, it contains only variables of NCCL and CUDA.
 */
public final class NcclTestsJson {
  private static final int FORMAT_VERSION = 3;

  /**
   * The process that made the run.
   *
   * @param arguments its command line
   * @param environment its environment variables
   * @param startTime when it started, in local time
   * @param endTime when it ended, in local time
   */
  public record Circumstances(
      List<String> arguments, Map<String, String> environment, String startTime, String endTime) {
    public Circumstances {
      arguments = List.copyOf(arguments);
      environment = Map.copyOf(environment);
    }
  }

  private static final Fields<UsedDevice> DEVICE =
      Fields.of(UsedDevice.class)
          .components("rank")
          .field("group", UsedDevice::color)
          .components("pid")
          .field("hostname", UsedDevice::host)
          .components("device")
          .field("device_hex", UsedDevice::cardBusId)
          .field("device_info", UsedDevice::name);

  private static final Fields<SizeSweep> STEPS =
      Fields.of(SizeSweep.class)
          .optional("step_factor", sweep -> Optional.of(sweep.factor()).filter(by -> by > 1))
          .optional(
              "step_bytes",
              sweep -> Optional.of(sweep.stepBytes()).filter(bytes -> sweep.factor() <= 1));

  private static final Fields<Repetition> REPETITION =
      Fields.of(Repetition.class)
          .field("warmup_iters", Repetition::warmUps)
          .components("iterations")
          .field("aggregated_iterations", Repetition::aggregated)
          .field("validation", Repetition::checks)
          .field("graph", Repetition::graphLaunches)
          .field(
              "blocking_collectives",
              repetition -> String.valueOf(repetition.blocking() != Blocking.NONE));

  private static final Fields<IterationStatistics> STATISTICS =
      Fields.of(IterationStatistics.class)
          .field("min_us", IterationStatistics::min)
          .field("max_us", IterationStatistics::max)
          .field("avg_us", IterationStatistics::mean)
          .field("p50_us", IterationStatistics::p50)
          .field("p95_us", IterationStatistics::p95)
          .field("p99_us", IterationStatistics::p99)
          .field("stdev_us", IterationStatistics::deviation)
          .field("cv_pct", IterationStatistics::cvPercent);

  private static final Fields<RunSummary> OUT_OF_BOUNDS =
      Fields.of(RunSummary.class)
          .field("count", RunSummary::wrongMeasurements)
          .field("okay", summary -> String.valueOf(summary.wrongMeasurements() == 0));

  private static final Fields<RunSummary> AVERAGE_BANDWIDTH =
      Fields.of(RunSummary.class)
          .field("bandwidth", RunSummary::averageBusbwGBps)
          .field(
              "okay",
              summary ->
                  summary.belowExpected().map(below -> String.valueOf(!below)).orElse("unchecked"));

  private NcclTestsJson() {}

  /** Returns the run as JSON. */
  public static Answer of(
      RunRequest request,
      Started started,
      List<Row> rows,
      RunSummary summary,
      Circumstances circumstances) {
    return Json.foreign(
        Fields.of(Circumstances.class)
            .field("version", run -> FORMAT_VERSION)
            .field("start_time", Circumstances::startTime)
            .field("args", Circumstances::arguments)
            .field("env", NcclTestsJson::environment)
            .field("nccl_version", run -> started.ncclVersion())
            .object("config", run -> request, config(started))
            .list("results", run -> rows, result(request))
            .object("out_of_bounds", run -> summary, OUT_OF_BOUNDS)
            .object("average_bus_bandwidth", run -> summary, AVERAGE_BANDWIDTH)
            .field("errors", run -> List.of())
            .field("end_time", Circumstances::endTime),
        circumstances);
  }

  private static List<String> environment(Circumstances run) {
    return run.environment().entrySet().stream()
        .filter(e -> e.getKey().startsWith("NCCL_") || e.getKey().startsWith("CUDA_"))
        .map(e -> e.getKey() + "=" + e.getValue())
        .sorted()
        .toList();
  }

  /** The configuration; nccl-tests writes Booleans as strings. */
  private static Fields<RunRequest> config(Started started) {
    return Fields.of(RunRequest.class)
        .field("nthreads", request -> request.use().threads())
        .field("ngpus", request -> request.use().gpusPerThread())
        .field("minimum_bytes", request -> request.calls().sweep().minBytes())
        .field(
            "maximum_bytes",
            request -> Math.min(request.calls().sweep().maxBytes(), started.bufferBytes()))
        .including(request -> request.calls().sweep(), STEPS)
        .including(RunRequest::repetition, REPETITION)
        .field("per_iter_timing", request -> String.valueOf(request.reporting().iterations()))
        .field("per_iter_skip", request -> request.reporting().skippedIterations())
        .field("parallel_init", request -> "false")
        .list("devices", request -> started.devices(), DEVICE);
  }

  private static Fields<Row> result(RunRequest request) {
    return Fields.of(Row.class)
        .field("size", Row::sizeBytes)
        .components("count")
        .field("type", row -> row.type().label())
        .field("redop", Row::operator)
        .field("root", row -> TextWriter.format("%6d", row.root()))
        .object("out_of_place", Row::outOfPlace, side(request))
        .optional("out_of_place_per_iter", row -> iterations(request, row.outOfPlace()))
        .object("in_place", Row::inPlace, side(request))
        .optional("in_place_per_iter", row -> iterations(request, row.inPlace()))
        .field("actual_iterations", row -> request.repetition().iterations())
        .field("experiment_name", row -> "");
  }

  private static Optional<Object> iterations(RunRequest request, CallResult result) {
    int skipped = request.reporting().skippedIterations();
    return Optional.of(result.iterations())
        .filter(IterationTimes::areMeasured)
        .map(
            Fields.of(IterationTimes.class)
                    .field("skipped_iterations", times -> skipped)
                    .including(
                        times -> IterationStatistics.of(times.longestUs(skipped)), STATISTICS)
                    .field("times_us", times -> times.longestUs(0))
                    .optional(
                        "per_process_max_times_us",
                        times -> Optional.of(times.processesUs()).filter(all -> all.size() > 1))
                ::json);
  }

  private static Fields<CallResult> side(RunRequest request) {
    boolean isCpu = request.reporting().cpuTime();
    Fields<CallResult> time =
        isCpu
            ? Fields.of(CallResult.class).field("cpu_time", CallResult::cpuTimeUs)
            : Fields.of(CallResult.class).field("time", CallResult::timeUs);
    return time.field("alg_bw", CallResult::algbwGBps)
        .field("bus_bw", CallResult::busbwGBps)
        .field("nwrong", CallResult::wrong)
        .optional("nccl_estimate_us", side -> side.estimateUs().stream().boxed().findFirst());
  }
}
