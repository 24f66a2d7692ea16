package dev.topo.cli.lint;

import dev.topo.model.Topology;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.node.GpuNode;
import dev.topo.model.operation.Collective;
import dev.topo.model.settings.NcclSettings;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.path.PathFinder;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.simulator.CallPlanner;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.calibration.CalibrationChoice;
import dev.topo.simulator.timing.Calibration;
import dev.topo.simulator.timing.TimingModel;
import java.util.List;
import java.util.Optional;

/**
 * The slowdown by a wrong file: NCCL plans channels for the machine of the file, but the data uses
 * the actual machine. For one node whose GPUs a shipped calibration covers, see {@link
 * CalibrationChoice}.
 */
final class LintPrediction {
  private static final long SIZE_BYTES = 1L << 30;

  /** What the calibrations were measured with. */
  private static final NcclSettings SETTINGS = NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0"));

  private LintPrediction() {}

  /** A short text; empty without calibration or if both are equal. */
  static String of(Topology file, Topology machine) {
    Optional<Calibration> chosen = CalibrationChoice.of(machine).calibration();
    if (chosen.isEmpty() || !generations(file).equals(generations(machine))) {
      return "";
    }
    TimingModel model = new TimingModel(chosen.get());
    Optional<Long> there = busbw(machine, machine, model);
    Optional<Long> declared = busbw(file, machine, model);
    if (there.isEmpty() || declared.isEmpty() || there.equals(declared)) {
      return "";
    }
    return "; all_reduce of 1 GiB without NVLS, predicted with calibration "
        + chosen.get().name()
        + ": "
        + declared.get()
        + " instead of "
        + there.get()
        + " GB/s";
  }

  private static List<Integer> generations(Topology topology) {
    return topology.gpus().stream().map(GpuNode::sm).toList();
  }

  private static Optional<Long> busbw(Topology declared, Topology actual, TimingModel model) {
    Communicator communicator = Communicator.of(Job.ofEqual(new Machine(declared, SETTINGS), 1));
    CallPlanner planner =
        new CallPlanner(communicator, PathFinder.find(actual, SETTINGS), declared.gpus().size());
    return new Predictor(planner, model)
        .predict(CollectiveCall.of(Collective.ALL_REDUCE, SIZE_BYTES), false)
        .filter(Prediction::isCalibrated)
        .map(prediction -> Math.round(prediction.busbwGBps()));
  }
}
