package dev.topo.verify;

import dev.topo.model.settings.NcclSettings;
import dev.topo.run.call.Repetition;
import dev.topo.run.call.RunRequest;
import dev.topo.run.call.SizeSweep;
import dev.topo.run.job.ProcessPlacement;
import java.util.Map;

/**
 * What is to be verified.
 *
 * @param variables the environment of the processes that load NCCL
 * @param placement which process this is; it announces its machine
 * @param run sizes, iterations and GPUs of the measurements
 * @param sweeps whether to measure; else NCCL is only asked
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

  /** The same run with other sizes, once: enough for NCCL to say its choices and to be checked. */
  RunRequest asking(SizeSweep sizes) {
    return run.withCalls(run.calls().withSweep(sizes)).withRepetition(Repetition.once());
  }
}
