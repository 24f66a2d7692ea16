package dev.topo.simulator.verdict;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Topology;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationChoice;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import java.util.List;
import java.util.Optional;

/**
 * The slowdown that a wrong topology file causes: NCCL plans channels for the machine of the file,
 * but the data moves on the actual machine. Covers one node with GPUs for which topo has a
 * calibration ({@link CalibrationChoice}).
 */
record DeclaredFileCost(JobEvaluator evaluator, NcclProfile profile) {
  private static final long SIZE_BYTES = 1L << 30;

  /** The settings under which the calibrations were measured. */
  private static final NcclSettings SETTINGS = NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0"));

  /** Describes the cost; empty without a calibration, or if the file costs nothing. */
  String of(Topology file, Topology machine) {
    Optional<Calibration> chosen = CalibrationChoice.of(machine).calibration();
    if (chosen.isEmpty() || !generations(file).equals(generations(machine))) {
      return "";
    }
    Optional<Long> busbw = busbw(machine, machine);
    Optional<Long> declared = busbw(file, machine);
    if (busbw.isEmpty() || declared.isEmpty() || busbw.equals(declared)) {
      return "";
    }
    return "; all_reduce of 1 GiB without NVLS, predicted with calibration "
        + chosen.get().name()
        + ": "
        + declared.get()
        + " instead of "
        + busbw.get()
        + " GB/s";
  }

  private static List<Integer> generations(Topology topology) {
    return topology.gpus().stream().map(GpuNode::sm).toList();
  }

  private Optional<Long> busbw(Topology declared, Topology actual) {
    CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, SIZE_BYTES);
    return evaluator
        .evaluate(
            JobPart.ofEqual(new Machine(declared, SETTINGS), 1),
            profile,
            Optional.of(new Machine(actual, SETTINGS)),
            JobRequest.DEFAULT_GPUS_PER_PROCESS)
        .predictor()
        .predict(call, false)
        .filter(CollectivePrediction::isCalibrated)
        .map(prediction -> Math.round(prediction.busbwGBps()));
  }
}
