/**
 * The basis of explanations: a traced search of a job, and answers about alternatives. Start with
 * {@link dev.topo.simulator.explain.TracedCommunicator}. Knows nothing of output formats.
 */
@NullMarked
package dev.topo.simulator.explain;

import org.jspecify.annotations.NullMarked;
