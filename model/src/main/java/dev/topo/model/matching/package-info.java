/** Pairs things of two kinds at the least cost. Knows nothing of machines. */
@NullMarked
package dev.topo.model.matching;

import org.jspecify.annotations.NullMarked;
