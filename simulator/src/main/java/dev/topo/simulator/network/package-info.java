/**
 * Model of the time of a call between nodes: the load of each network port ({@link
 * dev.topo.simulator.network.PortTraffic}), the load of the links between switches ({@link
 * dev.topo.simulator.network.FabricTraffic}), the constants of a kind of network ({@link
 * dev.topo.simulator.network.NetworkCalibration}), and the resulting time, overlapped with the work
 * inside the nodes. Start with {@link dev.topo.simulator.network.NetworkModel}. Independent of
 * commands and measurements.
 */
@NullMarked
package dev.topo.simulator.network;

import org.jspecify.annotations.NullMarked;
