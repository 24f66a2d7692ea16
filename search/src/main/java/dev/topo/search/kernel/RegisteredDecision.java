package dev.topo.search.kernel;

import dev.topo.search.tuning.Tuner.Decision;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * NCCL's decision for a call on registered buffers that neither a symmetric kernel nor the copy
 * engine runs.
 *
 * @param decision algorithm, protocol, channels and threads
 * @param plain the decision for buffers that are not registered
 * @param parts the components with direct access to the buffers
 * @param remarks reasons for the decision, and obstacles to further direct access
 */
public record RegisteredDecision(
    Decision decision, Decision plain, Set<RegisteredPart> parts, List<Remark> remarks) {
  public RegisteredDecision {
    parts = Set.copyOf(parts);
    remarks = List.copyOf(remarks);
  }

  /**
   * A reason for the decision.
   *
   * @param text the reason in words
   * @param setting the setting that changes it, as {@code NAME=VALUE}, if there is one
   */
  public record Remark(String text, Optional<String> setting) {}
}
