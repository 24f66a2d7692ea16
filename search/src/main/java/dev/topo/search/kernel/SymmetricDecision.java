package dev.topo.search.kernel;

import java.util.List;

/**
 * What runs a call in NCCL, and why the alternatives are excluded.
 *
 * @param execution what runs the call
 * @param notCopyEngine all conditions that exclude the copy engine; empty if it runs the call
 * @param notKernel all conditions that exclude every symmetric kernel
 * @param candidates the kernels of the collective in NCCL's order, if nothing excludes all of them
 */
public record SymmetricDecision(
    Execution execution,
    List<Exclusion> notCopyEngine,
    List<Exclusion> notKernel,
    List<KernelCandidate> candidates) {
  public SymmetricDecision {
    notCopyEngine = List.copyOf(notCopyEngine);
    notKernel = List.copyOf(notKernel);
    candidates = List.copyOf(candidates);
  }
}
