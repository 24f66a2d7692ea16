/**
 * The comparison that {@code topo guest} prints: the virtual machine without and with it, and the
 * host. Start with {@link dev.topo.cli.guest.GuestComparison}.
 */
@NullMarked
package dev.topo.cli.guest;

import org.jspecify.annotations.NullMarked;
