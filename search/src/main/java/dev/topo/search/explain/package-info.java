/**
 * Explanations of NCCL's decisions on a machine, in sentences backed by numbers: why these
 * channels, why this algorithm, why GDR or PXN is on or off, and why not what the user expected.
 * Start with {@link dev.topo.search.explain.Explanation}. The search is not repeated: {@link
 * dev.topo.search.explain.SearchTrace} observes it.
 */
@NullMarked
package dev.topo.search.explain;

import org.jspecify.annotations.NullMarked;
