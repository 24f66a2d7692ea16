package dev.topo.search.connect;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.path.Domain;
import dev.topo.search.path.LocalDevices;
import dev.topo.search.rules.PathRules;
import java.util.List;

/**
 * The port by which a GPU sends to a rank of another node ({@code ncclTopoGetNetDev}, {@code
 * nccl:src/graph/search.cc}).
 *
 * @param port the port
 * @param relay machine rank of the GPU that drives the port: the sender's own, or, with PXN, that
 *     of another GPU
 */
public record PeerPort(NetNode port, int relay) {
  /** Level of NCCL_P2P_PXN_LEVEL: relay only if the path to the port leads through another GPU. */
  private static final int PXN_WHERE_NEEDED = 1;

  /** Level of NCCL_P2P_PXN_LEVEL: relay whenever the GPU next to the port can be reached. */
  private static final int PXN_WHEREVER_POSSIBLE = 2;

  /**
   * The port and relay for a transfer from a GPU to a peer.
   *
   * @param domain the node of the GPU
   * @param gpu index of the GPU among the GPUs of the node
   * @param peerDev device number of the peer on its host
   * @param channel channel of the transfer
   * @param settings the settings, including the defaults of the release
   */
  static PeerPort of(Domain domain, int gpu, int peerDev, int channel, NcclSettings settings) {
    LocalDevices locals = domain.paths().localDevices();
    List<GpuNode> gpus = domain.topology().gpus();
    PeerPort direct = new PeerPort(port(domain, locals.netFor(gpu, channel)), gpus.get(gpu).rank());
    int level = settings.pxn() ? settings.integer("NCCL_P2P_PXN_LEVEL", PXN_WHEREVER_POSSIBLE) : 0;
    boolean onlyOneRail = settings.crossNic() == 0;
    int counterpart = gpuWithDevice(gpus, gpus.get(gpu), peerDev);
    if ((level == 0 && !onlyOneRail) || counterpart < 0) {
      return direct;
    }
    int net = locals.netFor(counterpart, channel);
    PeerPort peersPort = new PeerPort(port(domain, net), direct.relay);
    int relay =
        switch (level) {
          case PXN_WHERE_NEEDED -> relayOnPath(domain, gpu, net);
          case PXN_WHEREVER_POSSIBLE -> relayNearPort(domain, gpu, net, settings);
          default -> -1;
        };
    return relay >= 0
        ? new PeerPort(peersPort.port, gpus.get(relay).rank())
        : onlyOneRail ? peersPort : direct;
  }

  private static NetNode port(Domain domain, int net) {
    return domain.topology().nets().get(net);
  }

  /**
   * The index of the GPU that has the peer's device number on the host of {@code gpu}; -1 if it is
   * not in the job.
   */
  private static int gpuWithDevice(List<GpuNode> gpus, GpuNode gpu, int dev) {
    for (int g = 0; g < gpus.size(); g++) {
      GpuNode candidate = gpus.get(g);
      if (candidate.dev() == dev && candidate.systemId() == gpu.systemId()) {
        return g;
      }
    }
    return -1;
  }

  /** The GPU next to the port on a PXN path, else the GPU itself; -1 if the path is too far. */
  private static int relayOnPath(Domain domain, int gpu, int net) {
    Topology topology = domain.topology();
    PathType type =
        domain
            .paths()
            .type(topology.indexes(NodeType.GPU)[gpu], topology.indexes(NodeType.NET)[net]);
    if (!type.isWithin(PathType.PXN)) {
      return -1;
    }
    return type == PathType.PXN ? domain.paths().localDevices().gpuOf(net) : gpu;
  }

  /**
   * The GPU that drives a port, if it is near enough to the port and NVLink joins it to {@code
   * gpu}; otherwise -1.
   */
  private static int relayNearPort(Domain domain, int gpu, int net, NcclSettings settings) {
    PathRules rules = domain.profile().paths();
    boolean overC2c = settings.pxnOverC2c() && domain.profile().connect().relaysSendsOverC2c;
    int relay = domain.paths().localDevices().gpuOf(net);
    if (relay < 0) {
      return -1;
    }
    Topology topology = domain.topology();
    int[] gpus = topology.indexes(NodeType.GPU);
    boolean isNear =
        domain
            .paths()
            .type(gpus[relay], topology.indexes(NodeType.NET)[net])
            .isWithin(rules.pxnRelayToNet(overC2c));
    boolean isLinked = domain.paths().type(gpus[relay], gpus[gpu]).isWithin(rules.pxnGpuToRelay);
    return isNear && isLinked ? relay : -1;
  }
}
