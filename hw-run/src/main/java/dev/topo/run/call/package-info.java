/**
 * The request for a run: a collective, its sizes and repetitions, with the terms and semantics of
 * nccl-tests. Start with {@link dev.topo.run.call.RunRequest}. Knows nothing of GPUs.
 *
 * @see <a href="https://github.com/NVIDIA/nccl-tests">nccl-tests</a>
 */
@NullMarked
package dev.topo.run.call;

import org.jspecify.annotations.NullMarked;
