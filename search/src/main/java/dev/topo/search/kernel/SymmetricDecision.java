package dev.topo.search.kernel;

import java.util.List;

/**
 * By what NCCL runs a call, and why by nothing else.
 *
 * @param execution by what
 * @param notCopyEngine all conditions that exclude the copy engine; empty if it runs the call
 * @param notKernel all conditions that exclude symmetric kernels altogether
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
