/**
 * What the traffic of a job needs of the links between switches: which flows go over each uplink,
 * how many of them share one of its links, and how long the fullest takes. Start with {@link
 * dev.topo.simulator.fabric.FabricTraffic}. Knows no constants of networks and no times of calls.
 */
@NullMarked
package dev.topo.simulator.fabric;

import org.jspecify.annotations.NullMarked;
