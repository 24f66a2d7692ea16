/**
 * Why NCCL does what it does on a machine, in sentences backed by numbers: why these channels, why
 * this algorithm, why GDR or PXN is on or off, and why not what the user expected. Start with
 * {@link dev.topo.search.explain.Explanation}. Nothing is searched twice: the search is watched by
 * {@link dev.topo.search.explain.SearchTrace}.
 */
@NullMarked
package dev.topo.search.explain;

import org.jspecify.annotations.NullMarked;
