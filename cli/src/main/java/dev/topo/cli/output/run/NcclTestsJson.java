package dev.topo.cli.output.run;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Json;
import dev.topo.run.bench.CallResult;
import dev.topo.run.bench.Row;
import dev.topo.run.call.Blocking;
import dev.topo.run.call.Repetition;
import dev.topo.run.call.RunRequest;
import dev.topo.run.call.SizeSweep;
import dev.topo.run.job.UsedDevice;
import dev.topo.run.worker.RunEvent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
    /** Copies the collections. */
    public Circumstances {
      arguments = List.copyOf(arguments);
      environment = Map.copyOf(environment);
    }
  }

  private NcclTestsJson() {}

  /** The run as JSON. */
  public static Answer of(
      RunRequest request,
      RunEvent.Started started,
      List<Row> rows,
      RunSummary summary,
      Circumstances circumstances) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("version", FORMAT_VERSION);
    tree.put("start_time", circumstances.startTime());
    tree.put("args", circumstances.arguments());
    tree.put(
        "env",
        circumstances.environment().entrySet().stream()
            .filter(e -> e.getKey().startsWith("NCCL_") || e.getKey().startsWith("CUDA_"))
            .map(e -> e.getKey() + "=" + e.getValue())
            .sorted()
            .toList());
    tree.put("nccl_version", started.ncclVersion());
    tree.put("config", config(request, started));
    tree.put("results", rows.stream().map(row -> row(request, row)).toList());
    Map<String, Object> bounds = new LinkedHashMap<>();
    bounds.put("count", summary.wrongMeasurements());
    bounds.put("okay", bool(summary.wrongMeasurements() == 0));
    tree.put("out_of_bounds", bounds);
    Map<String, Object> bandwidth = new LinkedHashMap<>();
    bandwidth.put("bandwidth", summary.averageBusbwGBps());
    bandwidth.put("okay", summary.belowExpected().map(below -> bool(!below)).orElse("unchecked"));
    tree.put("average_bus_bandwidth", bandwidth);
    tree.put("errors", List.of());
    tree.put("end_time", circumstances.endTime());
    return Answer.of(Json.write(tree));
  }

  private static Map<String, Object> config(RunRequest request, RunEvent.Started started) {
    SizeSweep sweep = request.calls().sweep();
    Repetition repetition = request.repetition();
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("nthreads", request.use().threads());
    config.put("ngpus", request.use().gpusPerThread());
    config.put("minimum_bytes", sweep.minBytes());
    config.put("maximum_bytes", Math.min(sweep.maxBytes(), started.bufferBytes()));
    if (sweep.factor() > 1) {
      config.put("step_factor", sweep.factor());
    } else {
      config.put("step_bytes", sweep.stepBytes());
    }
    config.put("warmup_iters", repetition.warmUps());
    config.put("iterations", repetition.iterations());
    config.put("aggregated_iterations", repetition.aggregated());
    config.put("validation", repetition.checks());
    config.put("graph", repetition.graphLaunches());
    config.put("blocking_collectives", bool(repetition.blocking() != Blocking.NONE));
    config.put("per_iter_timing", bool(false));
    config.put("per_iter_skip", 0);
    config.put("parallel_init", bool(false));
    config.put("devices", started.devices().stream().map(NcclTestsJson::device).toList());
    return config;
  }

  private static Map<String, Object> device(UsedDevice device) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("rank", device.rank());
    tree.put("group", device.color());
    tree.put("pid", device.pid());
    tree.put("hostname", device.host());
    tree.put("device", device.device());
    tree.put("device_hex", device.busId().replaceFirst("\\.[0-9a-f]$", ""));
    tree.put("device_info", device.name());
    return tree;
  }

  private static Map<String, Object> row(RunRequest request, Row row) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("size", row.sizeBytes());
    tree.put("count", row.count());
    tree.put("type", row.type().label());
    tree.put("redop", row.operator());
    tree.put("root", String.format(Locale.ROOT, "%6d", row.root()));
    tree.put("out_of_place", measurement(request, row.outOfPlace()));
    tree.put("in_place", measurement(request, row.inPlace()));
    tree.put("actual_iterations", request.repetition().iterations());
    tree.put("experiment_name", "");
    return tree;
  }

  private static Map<String, Object> measurement(RunRequest request, CallResult one) {
    Map<String, Object> tree = new LinkedHashMap<>();
    if (request.reporting().cpuTime()) {
      tree.put("cpu_time", one.cpuTimeUs());
    } else {
      tree.put("time", one.timeUs());
    }
    tree.put("alg_bw", one.algbwGBps());
    tree.put("bus_bw", one.busbwGBps());
    tree.put("nwrong", one.wrong().isPresent() ? (Object) one.wrong().getAsLong() : Json.NULL);
    if (one.estimateUs().isPresent()) {
      tree.put("nccl_estimate_us", one.estimateUs().getAsDouble());
    }
    return tree;
  }

  /** nccl-tests writes truth values as text. */
  private static String bool(boolean value) {
    return String.valueOf(value);
  }
}
