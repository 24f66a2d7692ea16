/**
 * Changes of a machine, in a small language and as values: NICs, GPUs, switches and NVLinks added,
 * removed and moved, attributes and settings set, and all places that NICs can have. Start with
 * {@link dev.topo.model.edit.EditParser} and {@link dev.topo.model.edit.EditApplier}. An edited
 * machine is a document again, read like any other; what the edits mean for NCCL is not known here.
 */
@NullMarked
package dev.topo.model.edit;

import org.jspecify.annotations.NullMarked;
