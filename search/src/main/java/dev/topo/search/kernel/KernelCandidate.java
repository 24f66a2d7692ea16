package dev.topo.search.kernel;

import dev.topo.model.operation.SymmetricKernel;
import java.util.Optional;

/**
 * A symmetric kernel for the collective of a call.
 *
 * @param kernel the kernel
 * @param estimate NCCL's estimate, if the kernel can run the call
 * @param exclusion why NCCL does not choose it; empty for the one that it chooses
 */
public record KernelCandidate(
    SymmetricKernel kernel, Optional<KernelEstimate> estimate, Optional<Exclusion> exclusion) {}
