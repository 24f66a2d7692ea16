/**
 * The network between nodes: the switch of each port of each node. NCCL does not see it; people do.
 * Start with {@link dev.topo.model.fabric.SwitchMapReader}.
 */
@NullMarked
package dev.topo.model.fabric;

import org.jspecify.annotations.NullMarked;
