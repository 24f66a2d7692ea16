/**
 * The network between nodes: which port of which node hangs off which switch. NCCL does not see it;
 * people do. Start with {@link dev.topo.model.fabric.SwitchMapReader}.
 */
@NullMarked
package dev.topo.model.fabric;

import org.jspecify.annotations.NullMarked;
