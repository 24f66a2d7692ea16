/**
 * Bounds from the links of a machine. {@link dev.topo.search.bound.BoundFinder} gives upper bounds
 * on the bandwidth of a graph, from minimum cuts of the links that its channels can use, {@link
 * dev.topo.search.bound.JobBounds} lower bounds on the time of an operation, from the raw rates in
 * {@link dev.topo.search.bound.LinkRates.PhysicalLinks}. The search does not use them, and they do
 * not depend on the tuning model. References: Zhao et al., ForestColl (arXiv 2402.06787), for
 * all-gather and reduce-scatter; Edmonds 1973 for broadcast; Frank 1978 for partitions.
 */
@NullMarked
package dev.topo.search.bound;

import org.jspecify.annotations.NullMarked;
