/**
 * The hosts of an NVLink domain: which of them are equal and need only one drawing, and the order
 * in which a channel visits them. Start with {@link dev.topo.visualizer.host.HostFold}.
 */
@NullMarked
package dev.topo.visualizer.host;

import org.jspecify.annotations.NullMarked;
