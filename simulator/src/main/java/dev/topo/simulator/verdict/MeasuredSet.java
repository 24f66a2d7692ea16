package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.Measurement;
import dev.topo.model.Topology;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.calibration.Calibration.MeasuredOn;
import dev.topo.simulator.calibration.CalibrationChoice;
import dev.topo.simulator.evaluate.CallPlanner;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.timing.CallShape;
import dev.topo.simulator.verdict.CalibrationFit.FitObservation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measurements of one machine with the launch of each; made by one process with all its GPUs unless
 * {@linkplain #withGpusPerProcess said otherwise}. Caches planners; not for use by several threads.
 */
public final class MeasuredSet {
  private final String name;
  private final Machine machine;
  private final Optional<Machine> actual;
  private final List<Measurement> measurements;
  private final NcclProfile profile;
  private final JobEvaluator evaluator;
  private final int gpusPerProcess;
  private final Map<OptionalInt, CallPlanner> planners = new HashMap<>();

  /**
   * Measurements on a machine.
   *
   * @param machine the declared machine, with the settings that NCCL had
   * @param actual the actual machine; the declared one if empty
   * @param profile the rules of NCCL
   */
  public MeasuredSet(
      String name,
      Machine machine,
      Optional<Machine> actual,
      List<Measurement> measurements,
      NcclProfile profile,
      JobEvaluator evaluator) {
    this(name, machine, actual, measurements, profile, evaluator, machine.nRanks());
  }

  private MeasuredSet(
      String name,
      Machine machine,
      Optional<Machine> actual,
      List<Measurement> measurements,
      NcclProfile profile,
      JobEvaluator evaluator,
      int gpusPerProcess) {
    this.name = name;
    this.machine = machine;
    this.actual = actual;
    this.measurements = List.copyOf(measurements);
    this.profile = profile;
    this.evaluator = evaluator;
    this.gpusPerProcess = gpusPerProcess;
  }

  /**
   * The set of a process that drives only some of the GPUs.
   *
   * @param gpus how many; 0 where a CUDA graph was replayed
   */
  public MeasuredSet withGpusPerProcess(int gpus) {
    return new MeasuredSet(name, machine, actual, measurements, profile, evaluator, gpus);
  }

  /** The set with the measurements that fulfil a condition. */
  public MeasuredSet only(Predicate<Measurement> condition) {
    return new MeasuredSet(
        name,
        machine,
        actual,
        measurements.stream().filter(condition).toList(),
        profile,
        evaluator,
        gpusPerProcess);
  }

  public String name() {
    return name;
  }

  public List<Measurement> measurements() {
    return measurements;
  }

  /** The declared machine as NCCL reads it. */
  Topology topology() {
    return planner(OptionalInt.empty()).communicator().job().first().topology();
  }

  /**
   * The machines, GPUs and sizes that constants are measured on.
   *
   * @param actual the actual machine, if it is not the declared one
   */
  public static MeasuredOn measuredOn(List<MeasuredSet> sets, Optional<Topology> actual) {
    List<Measurement> measurements =
        sets.stream().flatMap(set -> set.measurements.stream()).toList();
    return new MeasuredOn(
        actual
            .map(Stream::of)
            .orElseGet(() -> sets.stream().map(MeasuredSet::topology))
            .map(machine -> CalibrationChoice.of(machine).machine())
            .collect(Collectors.toSet()),
        measurements.stream().mapToInt(Measurement::nGpus).max().orElse(0),
        measurements.stream().mapToLong(Measurement::sizeBytes).max().orElse(0));
  }

  /** The launch parameters of calls, for a forced number of channels if one is given. */
  public CallPlanner planner(OptionalInt channels) {
    return planners.computeIfAbsent(channels, this::newPlanner);
  }

  private CallPlanner newPlanner(OptionalInt channels) {
    NcclSettings settings = machine.settings();
    if (channels.isPresent()) {
      String count = Integer.toString(channels.getAsInt());
      settings =
          settings.with(
              NcclSettings.of(Map.of("NCCL_MIN_NCHANNELS", count, "NCCL_MAX_NCHANNELS", count)));
    }
    return evaluator
        .evaluate(
            JobPart.ofEqual(new Machine(machine.topology(), settings), 1),
            profile,
            actual,
            gpusPerProcess)
        .predictor()
        .planner();
  }

  /** The launch of a measurement; empty if the model does not cover it. */
  Optional<CallShape> shape(Measurement measurement, boolean inPlace) {
    CollectiveCall call = CollectiveCall.of(measurement.collective(), measurement.sizeBytes());
    return planner(measurement.channels()).shape(call, measurement.forced(), inPlace);
  }

  /**
   * The measurements that fulfil a condition, in and out of place, as observations for a fit.
   *
   * @param weight weight of each
   */
  public List<FitObservation> observations(Predicate<Measurement> condition, double weight) {
    List<FitObservation> observations = new ArrayList<>();
    for (Measurement measurement : measurements) {
      if (condition.test(measurement)) {
        for (boolean inPlace : new boolean[] {false, true}) {
          shape(measurement, inPlace)
              .ifPresent(
                  shape ->
                      observations.add(
                          new FitObservation(
                              shape,
                              measurement.timeUs(inPlace),
                              weight,
                              measurement.sizeBytes())));
        }
      }
    }
    return observations;
  }
}
