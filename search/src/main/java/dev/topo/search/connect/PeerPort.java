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
 * How a transfer to a rank of another node leaves a GPU ({@code ncclTopoGetNetDev}, {@code
 * nccl:src/graph/search.cc}).
 *
 * @param port the port that it uses
 * @param relay rank, on the machine, of the GPU that drives the port: another one with PXN
 */
public record PeerPort(NetNode port, int relay) {
  /** Levels of PXN to the port of the peer: where a path allows it, or wherever a GPU is near. */
  private static final int WHERE_NEEDED = 1;

  private static final int WHEREVER_POSSIBLE = 2;

  /**
   * The port and relay for a transfer from a GPU to a peer.
   *
   * @param domain the node of the GPU
   * @param gpu its place among the GPUs of the node
   * @param peerDev the device number of the peer on its host
   * @param channel the channel of the peer
   * @param settings with the defaults of the release
   */
  static PeerPort of(Domain domain, int gpu, int peerDev, int channel, NcclSettings settings) {
    LocalDevices locals = domain.paths().localDevices();
    List<GpuNode> gpus = domain.topology().gpus();
    PeerPort direct = new PeerPort(port(domain, locals.netFor(gpu, channel)), gpus.get(gpu).rank());
    int level = settings.pxn() ? settings.integer("NCCL_P2P_PXN_LEVEL", WHEREVER_POSSIBLE) : 0;
    boolean onlyOneRail = settings.crossNic() == 0;
    int likePeer = likePeer(gpus, gpus.get(gpu), peerDev);
    if ((level == 0 && !onlyOneRail) || likePeer < 0) {
      return direct;
    }
    int net = locals.netFor(likePeer, channel);
    PeerPort nextToPeer = new PeerPort(port(domain, net), direct.relay);
    int relay =
        switch (level) {
          case WHERE_NEEDED -> onPath(domain, gpu, net);
          case WHEREVER_POSSIBLE -> nearby(domain, gpu, net, settings);
          default -> -1;
        };
    return relay >= 0
        ? new PeerPort(nextToPeer.port, gpus.get(relay).rank())
        : onlyOneRail ? nextToPeer : direct;
  }

  private static NetNode port(Domain domain, int net) {
    return domain.topology().nets().get(net);
  }

  /** The GPU with a device number on the host of another; -1 if there is none in the job. */
  private static int likePeer(List<GpuNode> gpus, GpuNode gpu, int dev) {
    for (int g = 0; g < gpus.size(); g++) {
      GpuNode candidate = gpus.get(g);
      if (candidate.dev() == dev && candidate.id().systemId() == gpu.id().systemId()) {
        return g;
      }
    }
    return -1;
  }

  /** The GPU that the path to a port goes through, or the GPU itself; -1 if it is too far. */
  private static int onPath(Domain domain, int gpu, int net) {
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

  /** The GPU that drives a port if it is on NVLink with this one and near the port; or -1. */
  private static int nearby(Domain domain, int gpu, int net, NcclSettings settings) {
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
