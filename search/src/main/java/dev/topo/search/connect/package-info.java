/**
 * How NCCL joins the graphs of the nodes to rings and trees over all ranks of a job. Start with
 * {@link dev.topo.search.connect.Connection#of}. A connection computes the neighbours of one rank
 * in one channel at a time and stores nothing that grows with ranks times channels. {@link
 * dev.topo.search.connect.ConnectionVerifier} checks it by definition. Knows the search only as a
 * {@link dev.topo.search.connect.GraphSource}. Reference: {@code nccl:src/graph/connect.cc} and
 * {@code initTransportsRank} in {@code nccl:src/init.cc}.
 */
@NullMarked
package dev.topo.search.connect;

import org.jspecify.annotations.NullMarked;
