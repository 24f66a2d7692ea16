/**
 * Measures on this machine what advice predicts; start with {@link dev.topo.verify.trial.Trial}.
 * Only {@link dev.topo.verify.trial.WorkerTrialRunner} needs GPUs.
 */
@NullMarked
package dev.topo.verify.trial;

import org.jspecify.annotations.NullMarked;
