/** Pairs things of two kinds at the least cost, by JGraphT. Knows nothing of machines. */
@NullMarked
package dev.topo.inspect.matching;

import org.jspecify.annotations.NullMarked;
