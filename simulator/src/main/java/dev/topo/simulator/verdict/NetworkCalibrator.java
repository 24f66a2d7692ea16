package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.NetworkPredictor;
import dev.topo.simulator.network.NetworkCalibration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Calibrates the network model with runs on several nodes.
 *
 * @param machines finds the nodes of the runs
 * @param nodes returns the number of nodes of a run
 * @param selection selects the measurements to use
 * @param profile rules of the NCCL release
 * @param requests creates the request for a job; its calibrations are the start of the fit
 * @param notes receives notes on ignored measurements, a line each
 */
public record NetworkCalibrator(
    MeasuredFiles machines,
    ToIntFunction<MeasuredRun> nodes,
    MeasurementSelection selection,
    NcclProfile profile,
    Function<JobPart, JobRequest> requests,
    Consumer<String> notes) {
  /**
   * Fits the constants of the network, starting from those that topo has for the network of the
   * first run.
   *
   * @param fitted the runs to fit to; at least one
   * @param others runs that are only used for errors
   * @throws TopologyFormatException if a run was not made on several equal nodes with ports, or the
   *     model covers none of its selected measurements
   */
  public NetworkReport calibrate(
      List<MeasuredRun> fitted, List<MeasuredRun> others, CalibrationNaming naming) {
    List<NetworkTimes> times = new ArrayList<>();
    List<NetworkTimes> heldOut = new ArrayList<>();
    Optional<NetworkCalibration> base = Optional.empty();
    for (MeasuredRun run : Stream.concat(fitted.stream(), others.stream()).toList()) {
      CallPredictor job = job(run);
      List<NetworkTimes> found = times(run, job);
      base = base.or(() -> job.network().map(NetworkPredictor::calibration));
      (fitted.contains(run) ? times : heldOut).addAll(found);
    }
    NetworkCalibration start = base.orElseThrow();
    List<String> names = fitted.stream().map(run -> fileName(run.file())).toList();
    return NetworkReport.of(
        times, heldOut, start, naming.name(), naming.origin(times.size(), names, start.name()));
  }

  private static String fileName(String file) {
    return String.valueOf(Path.of(file).getFileName());
  }

  private List<NetworkTimes> times(MeasuredRun run, CallPredictor job) {
    MeasuredRun requested = run.only(selection.isWanted());
    List<NetworkTimes> found = NetworkTimes.of(requested, nodes.applyAsInt(run), job);
    if (found.isEmpty()) {
      throw new TopologyFormatException(
          run.file(),
          "contains no requested call between nodes that the model of the network covers ("
              + selection.label()
              + ")");
    }
    int missing = requested.measurements().size() - found.size();
    if (missing > 0) {
      notes.accept(
          "%s: %s of %s times are of calls that NCCL would not make on these nodes, or that the model of the network does not cover"
              .formatted(run.file(), missing, requested.measurements().size()));
    }
    return found;
  }

  /** Predicts for the job of a run on equal nodes. */
  private CallPredictor job(MeasuredRun run) {
    int hosts = nodes.applyAsInt(run);
    List<Integer> ranks = run.gpuCounts();
    int all = ranks.get(0);
    if (hosts < 2 || ranks.size() > 1 || all % hosts != 0) {
      throw new TopologyFormatException(
          run.file(),
          hosts < 2
              ? "was measured on one node, other files on several: calibrate machine and network"
                  + " one after the other"
              : "was measured on %s GPUs of %s nodes: expected one number, equally many on each"
                  .formatted(ranks, hosts));
    }
    JobRequest request =
        requests
            .apply(JobPart.ofEqual(machines.node(run, all / hosts, profile), hosts))
            .withGpusPerProcess(machines.gpusPerProcess().orElse(run.gpusPerProcess().orElse(1)));
    return machines.evaluator().evaluate(request).predictor();
  }
}
