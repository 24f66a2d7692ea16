/**
 * How long a call takes between nodes: what each network port has to carry ({@link
 * dev.topo.simulator.network.PortTraffic}), the constants of a kind of network ({@link
 * dev.topo.simulator.network.NetworkCalibration}), and the time that follows from both beside what
 * the nodes do ({@link dev.topo.simulator.network.NetworkModel}). Start with {@link
 * dev.topo.simulator.network.NetworkModel}. Knows nothing of commands and measurements.
 */
@NullMarked
package dev.topo.simulator.network;

import org.jspecify.annotations.NullMarked;
