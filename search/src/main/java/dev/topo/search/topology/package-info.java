/**
 * Builds a topology from NCCL's XML: which devices a job uses, how they are linked, and the
 * bandwidth of each link. Start with {@link dev.topo.search.topology.TopologySource}. Knows nothing
 * about paths. Reference: {@code ncclTopoGetSystemFromXml}, {@code nccl:src/graph/topo.cc}.
 */
@NullMarked
package dev.topo.search.topology;

import org.jspecify.annotations.NullMarked;
