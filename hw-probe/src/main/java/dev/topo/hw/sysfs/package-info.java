/**
 * Facts that Linux reports about a machine below {@code /sys}, {@code /proc} and {@code /dev}, as
 * values, and the network devices that NCCL would use by its rules and settings. Start with {@link
 * dev.topo.hw.sysfs.MachineFacts} and {@link dev.topo.hw.sysfs.NetworkFinder}. Reads files through
 * {@link dev.topo.hw.sysfs.SysfsRoot} and {@link dev.topo.hw.sysfs.FileTree} only, so that a
 * captured tree can be replayed; sees GPUs only as PCI devices.
 */
@NullMarked
package dev.topo.hw.sysfs;

import org.jspecify.annotations.NullMarked;
