/**
 * The differences between two machines: a form of a machine that does not depend on bus ids, host
 * hashes and the order of a file, and the differences of two machines in terms of the field, each
 * with the edit that produces it. Start with {@link dev.topo.inspect.difference.MachineDifferences}
 * for two machines and with {@link dev.topo.inspect.difference.FleetReader} for the dumps of many
 * nodes, which are grouped into equal machines. Works on the elements of a file; independent of
 * searches and times.
 */
@NullMarked
package dev.topo.inspect.difference;

import org.jspecify.annotations.NullMarked;
