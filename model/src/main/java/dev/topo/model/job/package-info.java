/**
 * The parts of a communicator: machines with their settings, in rank order. Start with {@link
 * dev.topo.model.job.Job}, and with {@link dev.topo.model.job.NcclSettings} for NCCL's environment
 * variables: which names exist, what they default to, and a checked set of them for one request.
 * Values only; how NCCL connects machines is in {@code dev.topo.search.connect}. Nothing here reads
 * the environment of the process.
 */
@NullMarked
package dev.topo.model.job;

import org.jspecify.annotations.NullMarked;
