/**
 * A topology as a JGraphT graph, for bounds. Start with {@link dev.topo.search.view.TopologyView}.
 * The search does not use it: on the sizes at hand plain arrays visit all links about twelve times
 * faster, and {@code topo search} does not load JGraphT.
 */
@NullMarked
package dev.topo.search.view;

import org.jspecify.annotations.NullMarked;
