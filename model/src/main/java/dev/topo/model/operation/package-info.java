/**
 * The words in which NCCL speaks of collectives: which there are, by which algorithm and protocol
 * they run, on which data. Start with {@link dev.topo.model.operation.Collective}. Nothing here
 * knows how fast they are. Reference: {@code nccl:src/include/nccl_common.h} and {@code
 * nccl:src/nccl.h.in}, NCCL 2.28.9.
 */
@NullMarked
package dev.topo.model.operation;

import org.jspecify.annotations.NullMarked;
