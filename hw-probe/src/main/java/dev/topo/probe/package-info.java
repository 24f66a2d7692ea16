/**
 * Looks at a machine and says what NCCL will find there. Start with {@link
 * dev.topo.probe.MachineProbe}. Knows nothing of search, and reads no environment variable.
 */
@NullMarked
package dev.topo.probe;

import org.jspecify.annotations.NullMarked;
