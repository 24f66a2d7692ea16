/**
 * Looks at a graph that was found, without trusting the search: what it puts on each link, and
 * whether it is what it says. Start with {@link dev.topo.search.verify.GraphLoad}.
 */
@NullMarked
package dev.topo.search.verify;

import org.jspecify.annotations.NullMarked;
