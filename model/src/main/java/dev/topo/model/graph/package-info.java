/**
 * The result of a search: channels for a pattern. Start with {@link
 * dev.topo.model.graph.ChannelGraph}. Values only; reading and writing them as NCCL's graph files
 * is in {@code dev.topo.model.xml}. Reference: {@code struct ncclTopoGraph}, {@code
 * nccl:src/include/graph.h}.
 */
@NullMarked
package dev.topo.model.graph;

import org.jspecify.annotations.NullMarked;
