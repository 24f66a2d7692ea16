/**
 * The channels of a communicator: the graphs that all nodes agree on, and the steps from the
 * searched channels to the final number. Start with {@link dev.topo.search.channel.ChannelPlan}.
 * Knows neither the search nor the order of ranks in rings and trees. Reference: {@code
 * initTransportsRank} in {@code nccl:src/init.cc} and {@code ncclTopoPostset} in {@code
 * nccl:src/graph/connect.cc}.
 */
@NullMarked
package dev.topo.search.channel;

import org.jspecify.annotations.NullMarked;
