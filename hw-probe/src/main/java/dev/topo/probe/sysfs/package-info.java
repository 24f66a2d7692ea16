/**
 * The data of Linux about a machine, below {@code /sys}, {@code /proc} and {@code /dev}, as values.
 * Start with {@link dev.topo.probe.sysfs.MachineFacts}. Reads files through {@link
 * dev.topo.probe.sysfs.SysfsRoot} only, so that a captured tree replays; knows nothing of GPUs
 * beyond their PCI devices, and nothing of NCCL's settings.
 */
@NullMarked
package dev.topo.probe.sysfs;

import org.jspecify.annotations.NullMarked;
