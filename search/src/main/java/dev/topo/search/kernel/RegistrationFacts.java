package dev.topo.search.kernel;

import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.NicAccessFinder;
import dev.topo.search.tuning.Communicator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The properties of a communicator on which the use of registered buffers depends ({@code struct
 * ncclComm}).
 *
 * @param nvlsHeads NVLS heads on a node; 0 without NVLS
 * @param peerAccess whether CUDA allows peer access between all GPUs of a node ({@code
 *     isAllCudaP2p})
 * @param directPeers whether NCCL uses direct access between all GPUs of a node ({@code
 *     isAllDirectP2p})
 * @param nvlinkPeers whether NVLink connects all GPUs of a node directly ({@code
 *     isAllDirectNvlink})
 * @param severalHosts whether a node is an NVLink domain of several hosts ({@code MNNVL})
 * @param sharedProcesses whether a process uses several GPUs of a host
 * @param gdr whether all rings reach the network by GPUDirect RDMA; computed only for one rank per
 *     node, else false
 */
record RegistrationFacts(
    int nvlsHeads,
    boolean peerAccess,
    boolean directPeers,
    boolean nvlinkPeers,
    boolean severalHosts,
    boolean sharedProcesses,
    boolean gdr) {
  /** Below this compute capability NICs read GPU memory only if GPUs have NVLinks to each other. */
  private static final int GDR_READ_SM = 80;

  static RegistrationFacts of(Communicator communicator, int gpusPerProcess) {
    Connection connection = communicator.connection();
    NcclSettings settings = communicator.job().settings();
    boolean alone = communicator.facts().maxLocalRanks() == 1;
    return new RegistrationFacts(
        connection.nvls().isSupported() ? connection.nvls().nHeads() : 0,
        connection.domains().allMatch(domain -> DirectPeers.haveAccess(domain, settings)),
        connection.domains().allMatch(domain -> DirectPeers.areAll(domain, settings)),
        connection.domains().allMatch(DirectPeers::areAllByNvlink),
        connection.topologies().anyMatch(topology -> topology.nHosts() > 1),
        gpusPerProcess > 1 && !alone,
        alone && connection.nNodes() > 1 && usesGdr(connection, settings));
  }

  private static boolean usesGdr(Connection connection, NcclSettings settings) {
    return connection.minSm() >= GDR_READ_SM
        && connection
            .nodeNumbers()
            .allMatch(
                node -> {
                  NicAccessFinder finder = new NicAccessFinder(connection.domain(node), settings);
                  List<NodeId> ports =
                      connection.domain(node).topology().nets().stream().map(NetNode::id).toList();
                  return IntStream.range(0, connection.nChannels())
                      .mapToObj(channel -> connection.rings().nets(channel, node))
                      .flatMap(nets -> nets.stream().flatMap(RegistrationFacts::ends))
                      .distinct()
                      .allMatch(
                          port ->
                              ports.contains(port)
                                  && finder.find(0, ports.indexOf(port)).gdr().allowed());
                });
  }

  private static Stream<NodeId> ends(Channel.Nets nets) {
    return Stream.of(nets.in(), nets.out());
  }
}
