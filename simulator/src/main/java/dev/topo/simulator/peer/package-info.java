/**
 * How long operations made of sends and receives take in a node: what each rank sends to whom, on
 * which channels, and the time of that on calibrated hardware. Start with {@link
 * dev.topo.simulator.peer.PeerPredictor}. Knows nothing of files, options and of the network
 * between nodes.
 */
@NullMarked
package dev.topo.simulator.peer;

import org.jspecify.annotations.NullMarked;
