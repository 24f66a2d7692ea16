/**
 * The facts that Linux reports about a machine, below {@code /sys}, {@code /proc} and {@code /dev},
 * as values, and which network devices NCCL would use by its rules and settings. Start with {@link
 * dev.topo.hw.sysfs.MachineFacts} and {@link dev.topo.hw.sysfs.NetworkFinder}. Reads files through
 * {@link dev.topo.hw.sysfs.SysfsRoot} and {@link dev.topo.hw.sysfs.FileTree} only, so that a
 * captured tree replays; knows nothing of GPUs beyond their PCI devices.
 */
@NullMarked
package dev.topo.hw.sysfs;

import org.jspecify.annotations.NullMarked;
