/**
 * Upper bounds on the bandwidth of a graph, from minimum cuts of the links that its channels can
 * use. Start with {@link dev.topo.tuning.bound.BoundFinder}. The search does not use them: only
 * explanations and tests do.
 */
@NullMarked
package dev.topo.tuning.bound;

import org.jspecify.annotations.NullMarked;
