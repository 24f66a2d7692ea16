/**
 * How NCCL joins the graphs of the nodes into rings and trees over all ranks of a job, and the
 * channels and buffer sizes of two ranks that exchange data. Start with {@link
 * dev.topo.search.connect.Connection#of}. A connection computes the neighbours of one rank in one
 * channel at a time and stores nothing that grows with ranks times channels. {@code
 * ConnectionVerifier} among the tests checks it by definition. Knows the search only as a {@link
 * dev.topo.search.connect.GraphSource}. Reference: {@code nccl:src/graph/connect.cc}, {@code
 * initTransportsRank} and {@code computeBuffSizes} in {@code nccl:src/init.cc}, and {@code
 * ncclTopoComputeP2pChannels} in {@code nccl:src/graph/paths.cc}.
 */
@NullMarked
package dev.topo.search.connect;

import org.jspecify.annotations.NullMarked;
