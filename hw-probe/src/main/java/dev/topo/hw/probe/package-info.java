/**
 * Detects the hardware of a machine and builds the topology that NCCL builds there. Start with
 * {@link dev.topo.hw.probe.MachineProbe}, and with {@link dev.topo.hw.probe.Doctor}, which checks
 * everything on a machine that determines whether and how NCCL runs. {@link
 * dev.topo.hw.probe.CaptureWriter} packs the files that the probe reads for replay, without
 * anything that identifies the machine or its owner. Independent of search and simulator; prints
 * nothing and reads no environment variable.
 */
@NullMarked
package dev.topo.hw.probe;

import org.jspecify.annotations.NullMarked;
