package dev.topo.simulator.measured;

import dev.topo.model.settings.NcclSettings;
import dev.topo.simulator.calibration.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * What a file says of runs on real GPUs.
 *
 * @param file name of the file as the user gave it
 * @param nodes hosts that took part; empty if the file does not tell
 * @param gpusPerProcess GPUs whose kernels one process (or thread of nccl-tests) launches one after
 *     the other; 0 where a CUDA graph holds the kernels; empty if the file does not tell
 * @param settings the NCCL settings that the file tells of
 * @param systems the hosts as NCCL's XML, each once, where the file has them
 * @param measurements the measurements in the order of the file
 * @param wrong those of calls whose results were wrong: their times tell nothing, and they are none
 *     of the measurements
 * @param passedOver rows that are no measurement of a collective that has algorithms: sizes of 0,
 *     sends and receives
 * @param isCutOff whether the file ends before the run that it is of
 */
public record MeasuredRun(
    String file,
    OptionalInt nodes,
    OptionalInt gpusPerProcess,
    NcclSettings settings,
    List<String> systems,
    List<Measurement> measurements,
    List<Measurement> wrong,
    int passedOver,
    boolean isCutOff) {
  /** What is wrong with a run of {@code -C}. */
  static final String OF_QUEUEING =
      "ran with -C (cputime): its times end when calls are queued, expected times of whole calls";

  /** Copies the lists; a negative number of GPUs counts as not told. */
  public MeasuredRun {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(nodes, "nodes");
    Objects.requireNonNull(gpusPerProcess, "gpusPerProcess");
    Objects.requireNonNull(settings, "settings");
    if (gpusPerProcess.orElse(1) < 0) {
      gpusPerProcess = OptionalInt.empty();
    }
    systems = List.copyOf(systems);
    measurements = List.copyOf(measurements);
    wrong = List.copyOf(wrong);
  }

  /** The same with some of its measurements, right and wrong ones. */
  public MeasuredRun only(Predicate<Measurement> which) {
    return new MeasuredRun(
        file,
        nodes,
        gpusPerProcess,
        settings,
        systems,
        measurements.stream().filter(which).toList(),
        wrong.stream().filter(which).toList(),
        passedOver,
        isCutOff);
  }

  /** What speaks against taking the file for a whole, sound run, a sentence each. */
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
    if (isCutOff) {
      doubts.add("ends before nccl-tests' last line (# Avg bus bandwidth): the run was cut off");
    }
    return doubts;
  }

  /** What to say of a file without measurements. */
  public String emptyReason() {
    if (!wrong.isEmpty()) {
      return "has wrong results only (#wrong)";
    }
    return "has sizes of 0 or sends and receives only, expected one of all_reduce, all_gather,"
        + " reduce_scatter, broadcast, reduce";
  }

  /** The numbers of GPUs that took part, each once, in the order of the file. */
  public List<Integer> gpuCounts() {
    return measurements.stream().map(Measurement::nGpus).distinct().toList();
  }
}
