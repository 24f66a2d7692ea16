package dev.topo.search.communicator;

import dev.topo.search.connect.CollNet;
import dev.topo.search.connect.Connection;
import dev.topo.search.cost.CommFacts;
import java.util.stream.IntStream;

/**
 * What the tuning model wants to know, taken from a connection. In NCCL all ranks agree on most of
 * it; rank 0's view is taken of what they do not: latency and order of GPUs of the graphs, channels
 * of NVLS, whether there are NVSwitches and whether all GPUs of the node are on NVLink. NCCL itself
 * goes wrong where ranks then choose differently ({@code initTransportsRank}, {@code
 * nccl:src/init.cc}).
 */
final class CommFactsOfConnection {
  private static final int RANK = 0;

  private CommFactsOfConnection() {}

  static CommFacts of(Connection connection) {
    int node = connection.nodeOf(RANK);
    return new CommFacts(
        connection.profile(),
        IntStream.range(0, connection.nNodes()).mapToObj(connection::localRanks).toList(),
        connection.minSm(),
        connection.maxSm(),
        CommFacts.Cpu.of(connection.firstCpus()),
        connection.nChannels(),
        connection.nvls().isSupported(),
        connection.nvls().channels(RANK),
        connection.collNet().map(collNet -> inNetwork(connection, collNet)),
        connection.isAllNvlink(node),
        connection.domain(node).topology().hasNvSwitch(),
        connection.maxTreePattern(),
        connection.agreedGraphs(node));
  }

  /**
   * Heads are those of NVLS where it is supported ({@code ncclCollNetSetup}, {@code
   * nccl:src/transport/coll_net.cc}). The network is taken to gather and scatter as well, as NCCL's
   * SHARP plugin does.
   */
  private static CommFacts.CollNet inNetwork(Connection connection, CollNet collNet) {
    int directHeads =
        collNet.direct(RANK).map(CollNet.Direct::heads).map(heads -> heads.size()).orElse(0);
    int heads =
        connection.nvls().isSupported()
            ? connection.nvls().nHeads()
            : collNet.heads(connection.nodeOf(RANK)).size();
    return new CommFacts.CollNet(heads, directHeads, true, true);
  }
}
