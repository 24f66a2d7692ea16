package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.Measurement;
import dev.topo.inspect.measured.RunReader;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Measurements of a job.
 *
 * @param runs the runs of each text that has any
 */
record RunMeasurements(List<MeasuredRun> runs) {
  /** Row of nccl-tests. */
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^(?!.*\\bNCCL (?:INFO|WARN))[^#\\n]*?\\b\\d+ +\\d+ +(?:u?int\\d+|half|b?float\\d*|double|f(?:p|loat)?8\\w*) ");

  /** Size in bytes below which calls differ little, so that only one in four is used. */
  private static final long SMALL = 1 << 15;

  private static final int MOST = 90;

  RunMeasurements {
    runs = List.copyOf(runs);
  }

  /** Measurements in some texts; skips a log without any. */
  static RunMeasurements read(DiagnosisInput input, RunFacts facts) {
    Optional<Collective> collective =
        input
            .collective()
            .or(
                () ->
                    facts
                        .first(LineKind.TEST)
                        .flatMap(line -> Operation.ofName(line.value(0)))
                        .filter(Collective.class::isInstance)
                        .map(Collective.class::cast));
    RunHints unsaid =
        new RunHints(
            collective,
            facts.ranks().isPresent() ? facts.ranks() : KnownJob.ranks(input, facts),
            Optional.empty());
    List<MeasuredRun> runs = new ArrayList<>();
    Set<String> logs = facts.logs();
    for (RunText text : input.texts()) {
      if (!logs.contains(text.name()) || hasMeasurements(text.text())) {
        runs.add(RunReader.read(text.text(), text.name(), unsaid));
      }
    }
    RunMeasurements read = new RunMeasurements(runs);
    List<Integer> counts = read.ranks();
    if (counts.size() > 1) {
      throw new TopologyFormatException(
          runs.get(0).file(),
          "measurements of jobs of " + counts + " GPUs: expected those of one job");
    }
    return read;
  }

  private static boolean hasMeasurements(String text) {
    return text.stripLeading().startsWith("{") || ROW.matcher(text).find();
  }

  /** Distinct numbers of ranks in the measurements. */
  List<Integer> ranks() {
    return runs.stream().flatMap(run -> run.gpuCounts().stream()).distinct().toList();
  }

  /** GPUs per process; empty if no run has the number. */
  OptionalInt gpusPerProcess() {
    return first(MeasuredRun::gpusPerProcess);
  }

  /** File of the first run that states the number of nodes, or else of the first run. */
  String file() {
    return runs.stream()
        .filter(run -> run.nodes().isPresent())
        .findFirst()
        .orElseGet(() -> runs.get(0))
        .file();
  }

  /** Number of hosts; empty if no run has it. */
  OptionalInt nodes() {
    return first(MeasuredRun::nodes);
  }

  private OptionalInt first(Function<MeasuredRun, OptionalInt> number) {
    return runs.stream().map(number).flatMapToInt(OptionalInt::stream).findFirst();
  }

  /**
   * Measurements to fit: those of NCCL's choice, if any, and sends and receives; with few small
   * calls, and no more than can be fitted quickly.
   */
  List<TimedCall> sampled() {
    List<Measurement> measurements =
        runs.stream()
            .flatMap(run -> run.measurements().stream())
            .filter(measurement -> measurement.channels().isEmpty())
            .toList();
    List<Measurement> free =
        measurements.stream().filter(measurement -> measurement.forced().isEmpty()).toList();
    List<TimedCall> used =
        Stream.concat(
                (free.isEmpty() ? measurements : free).stream().map(TimedCall::of),
                runs.stream().flatMap(run -> run.peers().stream()).map(TimedCall::of))
            .filter(call -> call.sizeBytes() >= SMALL || isSampled(call.sizeBytes()))
            .toList();
    int step = (used.size() + MOST - 1) / MOST;
    return IntStream.iterate(0, i -> i < used.size(), i -> i + step).mapToObj(used::get).toList();
  }

  private static boolean isSampled(long bytes) {
    return Long.numberOfTrailingZeros(Long.highestOneBit(bytes)) % 2 == 1;
  }
}
