/**
 * Checks a graph independently of the search: the load of each link, and whether the graph meets
 * its definition. Start with {@link dev.topo.search.verify.GraphLoad}.
 */
@NullMarked
package dev.topo.search.verify;

import org.jspecify.annotations.NullMarked;
