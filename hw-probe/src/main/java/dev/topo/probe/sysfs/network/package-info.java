/**
 * The data of Linux about network devices: InfiniBand and RoCE ports, network interfaces and
 * whether they have addresses. Reads and parses, decides nothing.
 */
@NullMarked
package dev.topo.probe.sysfs.network;

import org.jspecify.annotations.NullMarked;
