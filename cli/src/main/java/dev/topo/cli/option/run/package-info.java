/**
 * Options of real runs: those of nccl-tests, of launchers and of settings for the run. Start with
 * {@link dev.topo.cli.option.run.BenchOptions}. Knows nothing of topology files and predictions.
 */
@NullMarked
package dev.topo.cli.option.run;

import org.jspecify.annotations.NullMarked;
