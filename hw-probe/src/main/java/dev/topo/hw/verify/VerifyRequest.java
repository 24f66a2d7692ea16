package dev.topo.hw.verify;

import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.run.Registration;
import dev.topo.hw.run.Repetition;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.SizeSweep;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.kernel.CallPaths.Buffers;
import java.util.Map;

/**
 * Prediction to verify.
 *
 * @param variables environment of the processes that load NCCL
 * @param placement placement of this process, which announces its machine
 * @param run sizes, iterations and GPUs of the measurements
 * @param sweeps whether to also measure the algorithms and protocols
 */
public record VerifyRequest(
    Map<String, String> variables,
    NcclSettings settings,
    ProcessPlacement placement,
    RunRequest run,
    boolean sweeps) {
  public VerifyRequest {
    variables = Map.copyOf(variables);
  }

  /** Registration for a kind of buffers. */
  public static Registration registration(Buffers buffers) {
    return switch (buffers) {
      case PLAIN -> Registration.NONE;
      case REGISTERED -> Registration.LOCAL;
      case SYMMETRIC -> Registration.SYMMETRIC;
    };
  }

  /** Kind of the run's buffers. */
  Buffers buffers() {
    return switch (run.use().registration()) {
      case NONE -> Buffers.PLAIN;
      case LOCAL -> Buffers.REGISTERED;
      case SYMMETRIC -> Buffers.SYMMETRIC;
    };
  }

  /** The run with other sizes, one checked call each, so that NCCL logs its choices. */
  RunRequest asking(SizeSweep sizes) {
    return run.withCalls(run.calls().withSweep(sizes)).withRepetition(Repetition.once());
  }
}
