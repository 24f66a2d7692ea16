package dev.topo.inspect.measured;

import dev.topo.inspect.log.FailureSign;
import dev.topo.inspect.log.FailureSign.Kind;
import dev.topo.inspect.log.RunOrigin;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Content of a file about runs on real GPUs.
 *
 * @param file name of the file as the user gave it
 * @param origin the release of NCCL and the network, as far as the file states them
 * @param nodes number of participating hosts; empty if not stated
 * @param gpusPerProcess GPUs whose kernels one process (or thread of nccl-tests) launches one after
 *     the other; 0 if a CUDA graph holds the kernels; empty if not stated
 * @param settings the NCCL settings in the file
 * @param systems distinct hosts as NCCL's XML, if the file has them
 * @param measurements the measurements in the order of the file
 * @param wrong measurements of calls with wrong results, whose times are meaningless; not among the
 *     other measurements
 * @param passedOver number of skipped rows, which measure no collective: sizes of 0, sends and
 *     receives
 * @param remarks further reasons to doubt that the measurements are of single calls of a complete
 *     run, one sentence each
 * @param peers measurements of sends and receives with correct results
 * @param signs further evidence that the run failed
 */
public record MeasuredRun(
    String file,
    RunOrigin origin,
    OptionalInt nodes,
    OptionalInt gpusPerProcess,
    NcclSettings settings,
    List<String> systems,
    List<Measurement> measurements,
    List<Measurement> wrong,
    int passedOver,
    List<String> remarks,
    List<PeerMeasurement> peers,
    List<FailureSign> signs) {
  /** Remark on a run with {@code -C}. */
  static final String OF_QUEUEING =
      "ran with -C (cputime): its times end when calls are queued, expected times of whole calls";

  private static final String USUAL_TYPE = "float";
  private static final String USUAL_OPERATOR = "sum";

  /** Remark on a run with {@code -z}. */
  static final String OF_BLOCKING =
      "ran with -z (blocking): each call waits for the one before, predictions are of calls in a row";

  /** Remark on a run with {@code -d} or {@code -o}; empty for float and sum. */
  static Optional<String> ofType(String type, String operator) {
    boolean isUsual =
        type.equals(USUAL_TYPE) && (operator.equals(USUAL_OPERATOR) || !isOperator(operator));
    return isUsual
        ? Optional.empty()
        : Optional.of(
            "is of "
                + type
                + (isOperator(operator) ? " and " + operator : "")
                + ": predictions are of --datatype and --op, float and sum where they are not named");
  }

  private static boolean isOperator(String text) {
    return ReductionOperator.ofLabel(text).isPresent();
  }

  /** Remark on a run with {@code -m}. */
  static String aggregated(int calls) {
    return "ran with -m "
        + calls
        + ": so many calls share a launch, predictions are of single calls";
  }

  /** Copies the lists; a negative number of GPUs counts as unknown. */
  public MeasuredRun {
    if (gpusPerProcess.orElse(1) < 0) {
      gpusPerProcess = OptionalInt.empty();
    }
    systems = List.copyOf(systems);
    measurements = List.copyOf(measurements);
    wrong = List.copyOf(wrong);
    remarks = List.copyOf(remarks);
    peers = List.copyOf(peers);
    signs = List.copyOf(signs);
  }

  /** This run with some of its measurements, including wrong ones. */
  public MeasuredRun only(Predicate<Measurement> which) {
    return with(which, peers, signs);
  }

  /** This run with its measurements on a number of GPUs, including wrong ones. */
  public MeasuredRun ofRanks(int nGpus) {
    return with(
        measurement -> measurement.nGpus() == nGpus,
        peers.stream().filter(measurement -> measurement.nGpus() == nGpus).toList(),
        signs);
  }

  /** This run with more evidence that it failed. */
  MeasuredRun failed(List<FailureSign> more) {
    return with(all -> true, peers, Stream.concat(signs.stream(), more.stream()).toList());
  }

  private MeasuredRun with(
      Predicate<Measurement> which, List<PeerMeasurement> newPeers, List<FailureSign> newSigns) {
    return new MeasuredRun(
        file,
        origin,
        nodes,
        gpusPerProcess,
        settings,
        systems,
        measurements.stream().filter(which).toList(),
        wrong.stream().filter(which).toList(),
        passedOver,
        remarks,
        newPeers,
        newSigns);
  }

  /** Evidence that the run failed, wrong results first. */
  public List<FailureSign> failures() {
    List<FailureSign> failures = new ArrayList<>();
    if (!wrong.isEmpty()) {
      failures.add(wrongResults(file, wrong.size(), measurements.size(), wrong.get(0)));
    }
    signs.stream().sorted(Comparator.comparing(FailureSign::kind)).forEach(failures::add);
    return failures;
  }

  /** Evidence of wrong results. */
  static FailureSign wrongResults(String file, int wrong, int right, MeasuredOperation first) {
    return FailureSign.of(
        Kind.WRONG_RESULTS,
        file,
        String.format(
            Locale.ROOT,
            "%d of %d results were wrong (#wrong), the first that of %s of %d B",
            wrong,
            wrong + right,
            first.operation().ncclTestsName(),
            first.sizeBytes()));
  }

  /** Reasons to doubt that the file is a complete, correct run, one sentence each. */
  public List<String> doubts() {
    List<String> doubts = new ArrayList<>();
    for (FailureSign failure : failures()) {
      doubts.add(
          failure.text()
              + (failure.kind() == Kind.WRONG_RESULTS
                  ? ": those times count for nothing"
                  : failure.meaning().isEmpty() ? "" : ": " + failure.meaning()));
    }
    doubts.addAll(remarks);
    return doubts;
  }

  /** True if there are no measurements, correct or wrong. */
  public boolean isEmpty() {
    return measurements.isEmpty() && wrong.isEmpty() && peers.isEmpty();
  }

  /** Remark on a file without measurements. */
  public String emptyReason() {
    if (!wrong.isEmpty()) {
      return "has wrong results only (#wrong)";
    }
    return "has sizes of 0 or sends and receives only, expected one of all_reduce, all_gather,"
        + " reduce_scatter, broadcast, reduce";
  }

  /** Distinct numbers of participating GPUs, in the order of the file. */
  public List<Integer> gpuCounts() {
    return all().map(MeasuredOperation::nGpus).distinct().toList();
  }

  /** The measurements of collectives, then those of sends and receives. */
  public Stream<MeasuredOperation> all() {
    return Stream.concat(measurements.stream(), peers.stream());
  }
}
