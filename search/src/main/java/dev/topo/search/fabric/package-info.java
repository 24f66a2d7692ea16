/**
 * How the channels of a job lie on the switches between its nodes, which NCCL does not look at.
 * Start with {@link dev.topo.search.fabric.FabricReport}.
 */
@NullMarked
package dev.topo.search.fabric;

import org.jspecify.annotations.NullMarked;
