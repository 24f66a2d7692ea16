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
 * Measurements on one machine, and the kernel launch of each. One process drives all GPUs unless
 * {@linkplain #withGpusPerProcess set otherwise}. Caches planners; not thread-safe.
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
   * Creates a set of measurements.
   *
   * @param machine the declared machine, with the settings that NCCL had
   * @param actual the actual machine; empty if it is the declared one
   * @param profile rules of the NCCL release
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
   * Returns this set for processes that drive only some of the GPUs.
   *
   * @param gpus number of GPUs per process; 0 if a CUDA graph was replayed
   */
  public MeasuredSet withGpusPerProcess(int gpus) {
    return new MeasuredSet(name, machine, actual, measurements, profile, evaluator, gpus);
  }

  /** Returns this set with only the measurements that fulfil a condition. */
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

  /** The topology of the declared machine as NCCL reads it. */
  Topology topology() {
    return planner(OptionalInt.empty()).communicator().job().first().topology();
  }

  /**
   * Summarizes what constants were measured on: the machines, the largest number of GPUs, and the
   * largest size.
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

  /** Returns the planner of kernel launches, with a forced number of channels if one is given. */
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

  /** The kernel launch of a measurement; empty if the model does not cover it. */
  Optional<CallShape> shape(Measurement measurement, boolean inPlace) {
    CollectiveCall call = measurement.call();
    return planner(measurement.channels()).shape(call, measurement.forced(), inPlace);
  }

  /**
   * Converts the measurements that fulfil a condition to observations for a fit, two for each: out
   * of place and in place.
   *
   * @param weight weight of each observation
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
