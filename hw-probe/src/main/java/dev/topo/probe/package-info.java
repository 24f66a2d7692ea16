/**
 * Detects the hardware of a machine and builds the topology that NCCL builds there. Start with
 * {@link dev.topo.probe.MachineProbe}. Knows nothing of search, and reads no environment variable.
 */
@NullMarked
package dev.topo.probe;

import org.jspecify.annotations.NullMarked;
