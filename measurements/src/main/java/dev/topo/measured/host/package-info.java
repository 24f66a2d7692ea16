/**
 * Runs that single hosts or pairs of hosts made, read from a table or JSON; begin with {@link
 * dev.topo.measured.host.HostRunReader}.
 */
@NullMarked
package dev.topo.measured.host;

import org.jspecify.annotations.NullMarked;
