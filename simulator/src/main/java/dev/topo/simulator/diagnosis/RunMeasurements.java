package dev.topo.simulator.diagnosis;

import dev.topo.inspect.log.FailureSign;
import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.Measurement;
import dev.topo.inspect.measured.RunReader;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.Last;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The measurements in the texts of one job.
 *
 * @param runs the runs in the texts that contain measurements
 * @param failures evidence in all texts that the run failed, the worst first
 */
record RunMeasurements(List<MeasuredRun> runs, List<FailureSign> failures) {
  /** A row of the output of nccl-tests. */
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^(?!.*\\bNCCL (?:INFO|WARN))[^#\\n]*?\\b\\d+ +\\d+ +(?:u?int\\d+|half|b?float\\d*|double|f(?:p|loat)?8\\w*) ");

  /**
   * Below this size in bytes calls differ little, so that only sizes in every second octave are
   * used.
   */
  private static final long SMALL = 1 << 15;

  /** Largest number of calls to fit: the cost is cubic in it. */
  private static final int MOST_CALLS = 90;

  RunMeasurements {
    runs = List.copyOf(runs);
    failures = List.copyOf(failures);
  }

  /** Reads the measurements of the texts; skips logs without any. */
  static RunMeasurements read(DiagnosisInput input, RunFacts facts) {
    Optional<Operation> operation =
        input
            .operation()
            .or(() -> facts.first(LineKind.TEST).flatMap(line -> Operation.ofName(line.value(0))));
    RunHints hints =
        new RunHints(
            operation,
            facts.ranks().isPresent() ? facts.ranks() : KnownJob.allGpus(input, facts),
            Optional.empty());
    List<MeasuredRun> runs = new ArrayList<>();
    List<FailureSign> failures = new ArrayList<>();
    Set<String> logs = facts.logs();
    for (RunText text : input.texts()) {
      List<FailureSign> found = FailureSign.find(text.text(), text.name());
      boolean isLog = logs.contains(text.name()) || !found.isEmpty();
      if (!isLog || hasMeasurements(text.text())) {
        runs.add(RunReader.read(text.text(), text.name(), hints));
        failures.addAll(Last.of(runs).failures());
      } else {
        failures.addAll(found);
      }
    }
    failures.sort(Comparator.comparing(FailureSign::kind));
    RunMeasurements read = new RunMeasurements(runs, failures);
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
   * Selects the measurements to fit: those of NCCL's own choice (of forced pairs if there are no
   * others), and sends and receives. Small calls are thinned out, and all together are no more than
   * can be fitted quickly.
   */
  List<MeasuredOperation> sampled() {
    List<Measurement> measurements =
        runs.stream()
            .flatMap(run -> run.measurements().stream())
            .filter(measurement -> measurement.channels().isEmpty())
            .toList();
    List<Measurement> unforced =
        measurements.stream().filter(measurement -> measurement.forced().isEmpty()).toList();
    List<MeasuredOperation> used =
        Stream.<MeasuredOperation>concat(
                (unforced.isEmpty() ? measurements : unforced).stream(),
                runs.stream().flatMap(run -> run.peers().stream()))
            .filter(call -> call.sizeBytes() >= SMALL || isSampled(call.sizeBytes()))
            .toList();
    int step = (used.size() + MOST_CALLS - 1) / MOST_CALLS;
    return IntStream.iterate(0, i -> i < used.size(), i -> i + step).mapToObj(used::get).toList();
  }

  private static boolean isSampled(long bytes) {
    return Long.numberOfTrailingZeros(Long.highestOneBit(bytes)) % 2 == 1;
  }
}
