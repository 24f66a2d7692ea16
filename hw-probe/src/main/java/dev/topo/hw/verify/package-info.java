/**
 * Runs NCCL on the machine and compares its dumps, logs and times with the prediction. Start with
 * {@link dev.topo.hw.verify.Verifier}, with {@link dev.topo.hw.verify.ReplayPlanner} for a traced
 * job, and with {@link dev.topo.hw.verify.Trial} for measuring advice. The only package that uses
 * the search and simulator together with real runs. Prints nothing.
 */
@NullMarked
package dev.topo.hw.verify;

import org.jspecify.annotations.NullMarked;
