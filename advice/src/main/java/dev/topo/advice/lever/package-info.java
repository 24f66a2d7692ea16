/**
 * The ways to make a call faster than by NCCL's defaults, what each gains and how sure that is;
 * {@link dev.topo.advice.lever.SetupPredictor} predicts calls of a job with some of them.
 */
@NullMarked
package dev.topo.advice.lever;

import org.jspecify.annotations.NullMarked;
