/**
 * Builds a topology from NCCL's XML: which devices a job uses, how they are linked, and what each
 * link carries. Start with {@link dev.topo.search.topology.TopologySource}. Knows nothing of paths.
 * Reference: {@code ncclTopoGetSystemFromXml}, {@code nccl:src/graph/topo.cc}.
 */
@NullMarked
package dev.topo.search.topology;

import org.jspecify.annotations.NullMarked;
