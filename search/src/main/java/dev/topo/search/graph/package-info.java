/**
 * The search for channels on one node as NCCL does it. Start with {@link
 * dev.topo.search.graph.GraphSearch}. The question is a {@link
 * dev.topo.search.request.GraphRequest}, the answer a {@link
 * dev.topo.search.request.SearchOutcome}; to observe a search, pass a {@link
 * dev.topo.search.request.SearchMonitor}. Reference: {@code nccl:src/graph/search.cc}.
 */
@NullMarked
package dev.topo.search.graph;

import org.jspecify.annotations.NullMarked;
