/**
 * What real NCCL says in its log. Start with {@link dev.topo.inspect.log.NcclLogReader}; it makes
 * an {@link dev.topo.inspect.log.NcclLog} with one {@link dev.topo.inspect.log.RankLog} for each
 * rank of each communicator. Values only, as printed in the log; nothing is compared or computed
 * here. Lines that it does not know are passed over. Reference: the {@code INFO} lines of {@code
 * nccl:src/init.cc}, {@code nccl:src/enqueue.cc} and {@code nccl:src/graph}.
 */
@NullMarked
package dev.topo.inspect.log;

import org.jspecify.annotations.NullMarked;
