/**
 * The replay of a traced job: which calls are made, and their times beside those of the traces and
 * of the model. Start with {@link dev.topo.verify.replay.ReplayPlanner}. Prints nothing.
 */
@NullMarked
package dev.topo.verify.replay;

import org.jspecify.annotations.NullMarked;
