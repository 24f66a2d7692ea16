/**
 * The dumps of many nodes: read together and grouped into equal machines. Start with {@link
 * dev.topo.model.fleet.FleetReader}.
 */
@NullMarked
package dev.topo.model.fleet;

import org.jspecify.annotations.NullMarked;
