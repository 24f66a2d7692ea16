/**
 * Edits of a machine, as values and in a small language: add, remove and move NICs, GPUs, switches
 * and NVLinks, and set attributes and settings. Start with {@link dev.topo.inspect.edit.EditParser}
 * and {@link dev.topo.inspect.edit.EditApplier}; {@link dev.topo.inspect.edit.NicPlacements} lists
 * the placements of network cards over PCI switches, up to symmetry. An edited machine is a
 * document that is read like any other; effects on NCCL are out of scope here.
 */
@NullMarked
package dev.topo.inspect.edit;

import org.jspecify.annotations.NullMarked;
