/**
 * The hops of the channels of a job between the switches of its network, which NCCL does not
 * consider. Start with {@link dev.topo.inspect.fabric.FabricReport}.
 */
@NullMarked
package dev.topo.inspect.fabric;

import org.jspecify.annotations.NullMarked;
