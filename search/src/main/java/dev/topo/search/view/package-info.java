/**
 * A topology as a JGraphT graph, for algorithms, bounds and drawings. Start with {@link
 * dev.topo.search.view.TopologyView}. The search does not use it: on the sizes at hand plain arrays
 * visit all links about twelve times faster. Only this package of the module touches JGraphT.
 */
@NullMarked
package dev.topo.search.view;

import org.jspecify.annotations.NullMarked;
