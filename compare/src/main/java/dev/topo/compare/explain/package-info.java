/**
 * The basis of explanations: a traced search of a job, and answers about alternatives. Start with
 * {@link dev.topo.compare.explain.TracedCommunicator}. Knows nothing of output formats.
 */
@NullMarked
package dev.topo.compare.explain;

import org.jspecify.annotations.NullMarked;
