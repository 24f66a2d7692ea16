/**
 * Builds the topology that NCCL would build from what was found on a machine. Start with {@link
 * dev.topo.probe.assemble.SystemAssembler}. Pure: reads no file and calls no library.
 */
@NullMarked
package dev.topo.probe.assemble;

import org.jspecify.annotations.NullMarked;
