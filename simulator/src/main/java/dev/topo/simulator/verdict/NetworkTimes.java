package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.Measurement;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.simulator.evaluate.CallPlanner;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.NetworkPredictor;
import dev.topo.simulator.network.NetworkCall;
import dev.topo.simulator.network.NetworkModel;
import dev.topo.simulator.verdict.NetworkFit.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A measured time of a call between nodes, with the input of the network model.
 *
 * @param nodes number of nodes
 * @param measurement the measurement; its time out of place is used
 * @param call the properties of the call that determine its time
 */
public record NetworkTimes(int nodes, Measurement measurement, NetworkCall call) {
  /**
   * Selects the measurements of a run that the network model covers.
   *
   * @param job predictor for the job of the run
   * @throws TopologyFormatException if the nodes have no port
   */
  static List<NetworkTimes> of(MeasuredRun run, int nodes, CallPredictor job) {
    CallPlanner planner = job.planner();
    NetworkPredictor network =
        job.network()
            .orElseThrow(
                () ->
                    new TopologyFormatException(
                        SourceLocation.of(run.file()),
                        SpecText.of(
                            "was measured on %s nodes, and %s has no port (net): there is no"
                                + " network to calibrate",
                            nodes, SpecField.TOPOLOGY)));
    List<NetworkTimes> times = new ArrayList<>();
    for (Measurement measurement : run.measurements()) {
      CollectiveCall call = measurement.call();
      Optional<NetworkCall> derived =
          planner
              .choice(call, measurement.forced())
              .flatMap(choice -> network.call(call, choice, false));
      derived.ifPresent(found -> times.add(new NetworkTimes(nodes, measurement, found)));
    }
    return times;
  }

  Observation observation(double weight) {
    return new Observation(model -> model.time(call).kernelUs(), measurement.timeUs(), weight);
  }

  /** The relative error of a model; negative if the predicted time is too short. */
  double error(NetworkModel model) {
    return model.time(call).kernelUs() / measurement.timeUs() - 1;
  }

  /** The name of the series to which the time belongs; its times differ only in size. */
  String series() {
    return nodes
        + " nodes, "
        + measurement.collective().label()
        + measurement.forced().map(pair -> " " + pair).orElse("");
  }
}
