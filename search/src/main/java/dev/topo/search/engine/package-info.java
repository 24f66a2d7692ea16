/**
 * The search for channels on one node as NCCL does it. Start with {@link
 * dev.topo.search.engine.GraphSearch}. The question is a {@link
 * dev.topo.search.engine.GraphSearch.GraphRequest}, the answer a {@link
 * dev.topo.search.engine.SearchMonitor.SearchOutcome}; to observe a search, pass a {@link
 * dev.topo.search.engine.SearchMonitor}. The implementation works on plain arrays, one attempt at a
 * time ({@link dev.topo.search.engine.ChannelEngine}). {@link dev.topo.search.engine.ChannelPlan}
 * derives the final number of channels from the graphs that all nodes agree on. {@code
 * ChannelVerifier} among the tests checks a graph by its definition. Reference: {@code
 * nccl:src/graph/search.cc}, and for channels {@code initTransportsRank} in {@code
 * nccl:src/init.cc} and {@code ncclTopoPostset} in {@code nccl:src/graph/connect.cc}.
 */
@NullMarked
package dev.topo.search.engine;

import org.jspecify.annotations.NullMarked;
