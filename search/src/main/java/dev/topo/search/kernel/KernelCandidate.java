package dev.topo.search.kernel;

import dev.topo.model.operation.SymmetricKernel;
import java.util.Optional;

/**
 * A symmetric kernel of the collective that is called.
 *
 * @param kernel which one
 * @param estimate NCCL's estimate, if the kernel can run the call
 * @param exclusion why NCCL does not choose it; empty for the one that it chooses
 */
public record KernelCandidate(
    SymmetricKernel kernel, Optional<KernelEstimate> estimate, Optional<Exclusion> exclusion) {}
