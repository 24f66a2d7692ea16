package dev.topo.inspect.measured;

import dev.topo.inspect.log.RunOrigin;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The content of a file about runs on real GPUs.
 *
 * @param file name of the file as the user gave it
 * @param origin the release of NCCL and the network, as far as the file contains them
 * @param nodes hosts that took part; empty if the file does not say
 * @param gpusPerProcess GPUs whose kernels one process (or thread of nccl-tests) launches one after
 *     the other; 0 where a CUDA graph holds the kernels; empty if the file does not say
 * @param settings the NCCL settings in the file
 * @param systems the hosts as NCCL's XML, each once, where the file has them
 * @param measurements the measurements in the order of the file
 * @param wrong those of calls whose results were wrong: their times tell nothing, and they are none
 *     of the measurements
 * @param passedOver rows that are no measurement of a collective that has algorithms: sizes of 0,
 *     sends and receives
 * @param remarks what else speaks against taking them for single calls of whole runs, a sentence
 *     each
 * @param peers the rows of sends and receives whose results were right
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
    List<PeerMeasurement> peers) {
  /** The remark on a run of {@code -C}. */
  static final String OF_QUEUEING =
      "ran with -C (cputime): its times end when calls are queued, expected times of whole calls";

  private static final String USUAL_TYPE = "float";
  private static final String USUAL_OPERATOR = "sum";

  /** The remark on a run of {@code -z}. */
  static final String OF_BLOCKING =
      "ran with -z (blocking): each call waits for the one before, predictions are of calls in a row";

  /** The remark on a run of {@code -d} and {@code -o}; empty where it is of float and sum. */
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

  /** The remark on a run of {@code -m}. */
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
  }

  /** This run with some of its measurements, right and wrong ones. */
  public MeasuredRun only(Predicate<Measurement> which) {
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
        peers);
  }

  /** This run with what was measured on a number of GPUs, right and wrong. */
  public MeasuredRun ofRanks(int nGpus) {
    MeasuredRun collectives = only(measurement -> measurement.nGpus() == nGpus);
    return new MeasuredRun(
        file,
        origin,
        nodes,
        gpusPerProcess,
        settings,
        systems,
        collectives.measurements(),
        collectives.wrong(),
        passedOver,
        remarks,
        peers.stream().filter(measurement -> measurement.nGpus() == nGpus).toList());
  }

  /** Reasons against taking the file for a whole, sound run, a sentence each. */
  public List<String> doubts() {
    List<String> doubts = new ArrayList<>();
    if (!wrong.isEmpty()) {
      Measurement first = wrong.get(0);
      doubts.add(
          String.format(
              Locale.ROOT,
              "%d of %d results were wrong (#wrong), the first that of %s of %d B: those times count for nothing",
              wrong.size(),
              wrong.size() + measurements.size(),
              first.collective().ncclTestsName(),
              first.sizeBytes()));
    }
    doubts.addAll(remarks);
    return doubts;
  }

  /** True if nothing was measured, right or wrong. */
  public boolean isEmpty() {
    return measurements.isEmpty() && wrong.isEmpty() && peers.isEmpty();
  }

  /** The remark on a file without measurements. */
  public String emptyReason() {
    if (!wrong.isEmpty()) {
      return "has wrong results only (#wrong)";
    }
    return "has sizes of 0 or sends and receives only, expected one of all_reduce, all_gather,"
        + " reduce_scatter, broadcast, reduce";
  }

  /** The numbers of GPUs that took part, each once, in the order of the file. */
  public List<Integer> gpuCounts() {
    return Stream.concat(
            measurements.stream().map(Measurement::nGpus),
            peers.stream().map(PeerMeasurement::nGpus))
        .distinct()
        .toList();
  }
}
