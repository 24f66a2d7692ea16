/**
 * The search for channels on one node as NCCL does it. Start with {@link
 * dev.topo.search.GraphSearch}. The question is a {@link dev.topo.search.GraphRequest}, the answer
 * a {@link dev.topo.search.SearchOutcome}; who wants to see the search at work gives it a {@link
 * dev.topo.search.SearchMonitor}. Reference: {@code nccl:src/graph/search.cc}, NCCL 2.28.9.
 */
@NullMarked
package dev.topo.search;

import org.jspecify.annotations.NullMarked;
