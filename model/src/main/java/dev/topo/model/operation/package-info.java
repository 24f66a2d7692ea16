/**
 * The operations of NCCL, their algorithms, protocols and data types. Start with {@link
 * dev.topo.model.operation.Operation} and {@link dev.topo.model.operation.Call}. Contains no
 * performance model. Reference: {@code nccl:src/include/nccl_common.h} and {@code
 * nccl:src/nccl.h.in}.
 */
@NullMarked
package dev.topo.model.operation;

import org.jspecify.annotations.NullMarked;
