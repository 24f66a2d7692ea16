/**
 * Runs NCCL on the machine and compares its dumps, logs and times with the prediction. Start with
 * {@link dev.topo.verify.Verifier}. The only package that uses the search and simulator together
 * with real runs.
 */
@NullMarked
package dev.topo.verify;

import org.jspecify.annotations.NullMarked;
