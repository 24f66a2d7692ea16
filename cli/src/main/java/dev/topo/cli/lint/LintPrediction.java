package dev.topo.cli.lint;

import dev.topo.model.Topology;
import dev.topo.model.collective.Collective;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.node.GpuNode;
import dev.topo.model.path.PathFinder;
import dev.topo.model.settings.NcclSettings;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.simulator.CallPlanner;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.timing.TimingModel;
import java.util.List;
import java.util.Optional;

/**
 * What a wrong file costs in time: NCCL plans channels for the machine of the file, and the data
 * takes them over the machine that is there. For one node of GPUs that a shipped calibration is
 * for.
 */
final class LintPrediction {
  private static final String CALIBRATION = "h200-nvswitch";

  /** The generation of the GPUs that the calibration was measured on. */
  private static final int SM = 90;

  private static final long SIZE_BYTES = 1L << 30;

  /** What the calibration was measured with. */
  private static final NcclSettings SETTINGS = NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0"));

  private LintPrediction() {}

  /** In a few words; empty where nothing is calibrated or both are equal. */
  static String of(Topology file, Topology machine) {
    List<GpuNode> gpus = machine.gpus();
    boolean fits =
        machine.hasNvSwitch()
            && gpus.size() > 1
            && gpus.size() == file.gpus().size()
            && gpus.stream().allMatch(gpu -> gpu.sm() == SM)
            && file.gpus().stream().allMatch(gpu -> gpu.sm() == SM);
    if (!fits) {
      return "";
    }
    Optional<Long> there = busbw(machine, machine);
    Optional<Long> declared = busbw(file, machine);
    if (there.isEmpty() || declared.isEmpty() || there.equals(declared)) {
      return "";
    }
    return "; all_reduce of 1 GiB without NVLS, predicted with calibration "
        + CALIBRATION
        + ": "
        + declared.get()
        + " instead of "
        + there.get()
        + " GB/s";
  }

  private static Optional<Long> busbw(Topology declared, Topology actual) {
    Communicator communicator = Communicator.of(Job.ofEqual(new Machine(declared, SETTINGS), 1));
    CallPlanner planner =
        new CallPlanner(communicator, PathFinder.find(actual, SETTINGS), declared.gpus().size());
    TimingModel model = new TimingModel(CalibrationFile.shipped(CALIBRATION).orElseThrow());
    return new Predictor(planner, model)
        .predict(CollectiveCall.of(Collective.ALL_REDUCE, SIZE_BYTES), false)
        .filter(Prediction::isCalibrated)
        .map(prediction -> Math.round(prediction.busbwGBps()));
  }
}
