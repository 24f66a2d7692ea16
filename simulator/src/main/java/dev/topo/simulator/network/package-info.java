/**
 * The time of a call between nodes: what each network port has to carry ({@link
 * dev.topo.simulator.network.PortTraffic}), what the links between switches carry ({@link
 * dev.topo.simulator.network.FabricTraffic}), the constants of a kind of network ({@link
 * dev.topo.simulator.network.NetworkCalibration}), and the time that follows from them beside what
 * the nodes do. Start with {@link dev.topo.simulator.network.NetworkModel}. Knows nothing of
 * commands and measurements.
 */
@NullMarked
package dev.topo.simulator.network;

import org.jspecify.annotations.NullMarked;
