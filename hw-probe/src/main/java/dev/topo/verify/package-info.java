/**
 * Runs NCCL on the machine and holds what it dumped, logged and reached against what was predicted.
 * Start with {@link dev.topo.verify.Verifier}. It stands in the command since it is the one place
 * that knows the probe, the search and real runs.
 */
@NullMarked
package dev.topo.verify;

import org.jspecify.annotations.NullMarked;
