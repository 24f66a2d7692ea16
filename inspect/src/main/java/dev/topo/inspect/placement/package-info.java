/**
 * Enumeration of the placements of a machine's network cards over its PCI switches, up to symmetry.
 * Start with {@link dev.topo.inspect.placement.NicPlacements}. Does not know graphs or bandwidths.
 */
@NullMarked
package dev.topo.inspect.placement;

import org.jspecify.annotations.NullMarked;
