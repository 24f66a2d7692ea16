/**
 * The dumps of many nodes: read together and grouped into equal machines. Start with {@link
 * dev.topo.inspect.fleet.FleetReader}.
 */
@NullMarked
package dev.topo.inspect.fleet;

import org.jspecify.annotations.NullMarked;
