/**
 * How well the measured times fit the job as it should be, and the job with a fault; begin with
 * {@link dev.topo.diagnose.fit.Hypotheses}.
 */
@NullMarked
package dev.topo.diagnose.fit;

import org.jspecify.annotations.NullMarked;
