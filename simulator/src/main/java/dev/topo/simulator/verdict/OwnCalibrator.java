package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.Measurement;
import dev.topo.inspect.measured.PeerMeasurement;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationChoice;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.OwnTimes;
import dev.topo.simulator.calibration.TimedCall;
import dev.topo.simulator.calibration.TimedCall.MeasuredCall;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.NetworkPredictor;
import dev.topo.simulator.evaluate.OwnCalibration;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.network.NetworkCalibration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Makes a calibration of the user's own machine from a few measured times: each corrects the
 * predictions of similar calls.
 *
 * @param predictors predicts for the job of a run on a number of GPUs
 * @param selection selects the measurements of collectives to use
 * @param notes receives notes on ignored measurements, a line each
 */
public record OwnCalibrator(
    BiFunction<MeasuredRun, Integer, CallPredictor> predictors,
    MeasurementSelection selection,
    Consumer<String> notes) {
  /** Part of a bound below which a time is impossible: printed times are rounded. */
  private static final double ROUNDED = 0.99;

  /**
   * Calibrates.
   *
   * @param runs the runs to correct predictions by; at least one
   * @param others runs that only show errors
   * @throws TopologyFormatException if no time of a run can be compared, a time is shorter than the
   *     links allow, or the runs are of different kinds of machines
   */
  public OwnReport calibrate(
      List<MeasuredRun> runs, List<MeasuredRun> others, CalibrationNaming naming) {
    Found found = new Found();
    runs.forEach(run -> found.calls.addAll(calls(run, found)));
    Found held = new Found();
    others.forEach(run -> held.calls.addAll(calls(run, held)));
    List<MeasuredCall> calls = distinct(found.calls);
    if (calls.size() > OwnCalibration.MOST_CALLS) {
      throw new TopologyFormatException(
          runs.get(0).file(),
          "%s different calls: expected up to %s"
              .formatted(calls.size(), OwnCalibration.MOST_CALLS));
    }
    List<String> files =
        runs.stream().map(run -> String.valueOf(Path.of(run.file()).getFileName())).toList();
    return new OwnReport(
        new OwnCalibration(
            naming.name(),
            naming.origin(calls.size(), files, found.base()),
            found.job,
            found.node,
            found.network,
            new OwnTimes(found.machine, calls)),
        held.calls,
        found.shares);
  }

  /** What the runs share. */
  private static final class Found {
    private final List<MeasuredCall> calls = new ArrayList<>();
    private final Map<String, Double> shares = new HashMap<>();
    private String machine = "";
    private String job = "";
    private Optional<Calibration> node = Optional.empty();
    private Optional<NetworkCalibration> network = Optional.empty();

    private void add(MeasuredRun run, CallPredictor predictor) {
      Topology topology = predictor.communicator().job().first().topology();
      String kind = CalibrationChoice.of(topology).machine();
      if (!machine.isEmpty() && !machine.equals(kind)) {
        throw new TopologyFormatException(
            run.file(), "was measured on %s, other files on %s".formatted(kind, machine));
      }
      machine = kind;
      job =
          OwnCalibration.job(
              predictor.communicator().profile(), predictor.communicator().job().settings());
      node = predictor.calibration().filter(CalibrationFile::isShipped);
      network = network.or(() -> predictor.network().map(NetworkPredictor::calibration));
    }

    private String base() {
      return Stream.concat(
              node.map(Calibration::name).stream(), network.map(NetworkCalibration::name).stream())
          .reduce((a, b) -> a + " and " + b)
          .orElse("NCCL's own model");
    }
  }

  private List<MeasuredCall> calls(MeasuredRun run, Found found) {
    List<MeasuredCall> calls = new ArrayList<>();
    int without = 0;
    MeasuredRun requested = run.only(selection.isWanted());
    for (int ranks : requested.gpuCounts()) {
      CallPredictor predictor = predictors.apply(run, ranks);
      found.add(run, predictor);
      MeasuredRun part = requested.ofRanks(ranks);
      for (MeasuredOperation measured : part.all().toList()) {
        Optional<MeasuredCall> call =
            predicted(predictor, measured)
                .map(time -> new MeasuredCall(predictor.timed(time), measured.timeUs()));
        if (call.isPresent()) {
          double share = leastUs(run, predictor, measured) / measured.timeUs();
          found.shares.merge(call.get().call().series(), share, Math::max);
          calls.add(call.get());
        }
        without += call.isPresent() ? 0 : 1;
      }
    }
    if (calls.isEmpty()) {
      throw new TopologyFormatException(
          run.file(),
          "contains no requested time (%s) of a call that NCCL would make on this job"
              .formatted(selection.label()));
    }
    if (without > 0) {
      notes.accept(
          "%s: %s are of calls that NCCL would not make on this job, or that have no prediction"
              .formatted(run.file(), QuantityFormat.count(without, "time")));
    }
    return calls;
  }

  private static Optional<Prediction> predicted(CallPredictor job, MeasuredOperation measured) {
    if (measured instanceof PeerMeasurement peer) {
      return job.predict(new PeerCall(peer.operation(), peer.sizeBytes()));
    }
    Measurement collective = (Measurement) measured;
    return collective.channels().isPresent()
        ? Optional.empty()
        : job.predict(collective.call(), collective.forced(), false).map(Prediction.class::cast);
  }

  /** The time that the links need, which no measured one is below. */
  private static double leastUs(MeasuredRun run, CallPredictor job, MeasuredOperation measured) {
    double leastUs = job.leastUs(measured.operation(), measured.sizeBytes()).orElse(0);
    if (measured.timeUs() < ROUNDED * leastUs) {
      throw new TopologyFormatException(
          run.file(),
          "%s of %s in %s: the links of this machine need %s at least; expected microseconds, and the machine that it was measured on"
              .formatted(
                  measured.operation().label(),
                  QuantityFormat.size(measured.sizeBytes()),
                  QuantityFormat.time(measured.timeUs()),
                  QuantityFormat.time(leastUs)));
    }
    return leastUs;
  }

  /** Each call once, with the geometric mean of its times. */
  private static List<MeasuredCall> distinct(List<MeasuredCall> calls) {
    Map<TimedCall, List<MeasuredCall>> alike = new LinkedHashMap<>();
    calls.forEach(call -> alike.computeIfAbsent(call.call(), key -> new ArrayList<>()).add(call));
    return alike.entrySet().stream()
        .map(
            entry ->
                new MeasuredCall(
                    entry.getKey(),
                    Math.exp(
                        entry.getValue().stream()
                            .mapToDouble(call -> Math.log(call.timeUs()))
                            .average()
                            .orElseThrow())))
        .toList();
  }
}
