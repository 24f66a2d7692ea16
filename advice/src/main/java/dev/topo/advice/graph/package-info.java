/**
 * Graphs that use the links of a node better than those of NCCL's search, as files for
 * NCCL_GRAPH_FILE. Start with {@link dev.topo.advice.graph.GraphImprover}. Channels are packed by
 * the link model ({@link dev.topo.advice.graph.ChannelSpace}); whether they are offered is decided
 * by the predicted times of calls.
 */
@NullMarked
package dev.topo.advice.graph;

import org.jspecify.annotations.NullMarked;
