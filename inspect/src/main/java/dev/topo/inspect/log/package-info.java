/**
 * Reads NCCL's log and compares it with what topo computes. Start with {@link
 * dev.topo.inspect.log.NcclLogReader}, which creates an {@link dev.topo.inspect.log.NcclLog} with
 * one {@link dev.topo.inspect.log.RankLog} for each rank of each communicator, and with {@link
 * dev.topo.inspect.log.LogComparison}, which compares a log with a {@link
 * dev.topo.search.tuning.Communicator}, fact by fact. Unknown lines are skipped. Reference: the
 * {@code INFO} lines of {@code nccl:src/init.cc}, {@code nccl:src/enqueue.cc} and {@code
 * nccl:src/graph}.
 */
@NullMarked
package dev.topo.inspect.log;

import org.jspecify.annotations.NullMarked;
