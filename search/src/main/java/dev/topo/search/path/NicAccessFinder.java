package dev.topo.search.path;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.path.NicAccessFinder.GdrRules.GdrDecision;
import dev.topo.search.path.NicAccessFinder.NicAccess.PxnDecision;
import dev.topo.search.rules.PathRules;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * Finds how each GPU of a domain reaches each port and by which rule: the shortest path, PXN,
 * GPUDirect RDMA. Compares the final paths of {@link PathFinder} with the initial ones.
 */
public final class NicAccessFinder {
  private final Paths paths;
  private final Topology topology;
  private final NcclSettings settings;
  private final PathRules rules;
  private final PathTable direct;
  private final GdrRules gdr;
  private final int[] gpus;
  private final int[] nets;

  /** A finder for a domain whose paths were found under these settings. */
  public NicAccessFinder(Domain domain, NcclSettings settings) {
    this.paths = domain.paths();
    this.topology = domain.topology();
    this.settings = domain.profile().complete(settings);
    this.rules = domain.profile().paths();
    this.direct = PathTable.of(topology, paths.linkTable(), domain.profile());
    this.gpus = topology.indexes(NodeType.GPU);
    this.nets = topology.indexes(NodeType.NET);
    BreadthFirst search =
        new BreadthFirst(topology, direct, this.settings.nvlinkThroughGpu(), rules);
    for (NodeType type : new NodeType[] {NodeType.GPU, NodeType.NET}) {
      for (int target : topology.indexes(type)) {
        search.run(target, target);
      }
    }
    this.gdr = new GdrRules(topology, direct, this.settings, rules);
  }

  /** How a GPU reaches a port, both by index among the nodes of their type. */
  public NicAccess find(int gpu, int net) {
    PathType used = paths.type(gpus[gpu], nets[net]);
    PxnDecision pxn = used == PathType.PXN ? PxnDecision.USED : whyNoPxn(gpu, net);
    OptionalInt relay = used == PathType.PXN ? relay(gpu, net) : OptionalInt.empty();
    int near = relay.orElse(gpu);
    PathType distance = distance(near, net);
    GdrDecision decision = gdr.check(gpus[gpu], nets[net], false);
    if (decision == GdrDecision.ALLOWED || decision == GdrDecision.TOO_FAR) {
      decision = distance.isWithin(gdr.limit()) ? GdrDecision.ALLOWED : GdrDecision.TOO_FAR;
    }
    return new NicAccess(
        direct.type(gpus[gpu], nets[net]), used, relay, pxn, decision, distance, gdr.limit());
  }

  /**
   * The relay GPU on the path to a port. It was the port's local GPU when the path was found; PXN
   * may have changed that since.
   */
  private OptionalInt relay(int gpu, int net) {
    return Arrays.stream(paths.links(gpus[gpu], nets[net]))
        .map(link -> Arrays.binarySearch(gpus, paths.linkTable().to(link)))
        .filter(relay -> relay >= 0)
        .reduce((first, last) -> last);
  }

  /** The distance that counts for GPUDirect RDMA; P2C where the path uses C2C. */
  private PathType distance(int gpu, int net) {
    PathType type = direct.type(gpus[gpu], nets[net]);
    boolean overC2c = type == PathType.PHB && paths.type(gpus[gpu], nets[net]) == PathType.P2C;
    return gdr.counted(overC2c ? PathType.P2C : type);
  }

  private PxnDecision whyNoPxn(int gpu, int net) {
    if (!settings.pxn()) {
      return PxnDecision.OFF;
    }
    int local = paths.localDevices().gpuOf(net);
    if (local < 0) {
      return PxnDecision.NO_LOCAL_GPU;
    }
    if (local == gpu) {
      return PxnDecision.IS_LOCAL;
    }
    PathType farthest = rules.pxnRelayToNet(settings.pxnOverC2c());
    if (!paths.type(gpus[local], nets[net]).isWithin(farthest)) {
      return PxnDecision.LOCAL_GPU_TOO_FAR;
    }
    if (!paths.type(gpus[local], gpus[gpu]).isWithin(rules.pxnGpuToRelay)) {
      return PxnDecision.NO_NVLINK;
    }
    return host(local) == host(gpu) ? PxnDecision.NOT_BETTER : PxnDecision.OTHER_HOST;
  }

  private int host(int gpu) {
    return topology.node(gpus[gpu]).systemId();
  }

  /**
   * How a GPU reaches a port, and why. GPUs and ports are identified by index among the nodes of
   * their type.
   *
   * @param direct distance on the shortest path, before any rule
   * @param used distance on the path that NCCL uses to send
   * @param relay the intermediate GPU, if the path is PXN
   * @param pxn whether PXN is used, or why not
   * @param gdr whether GPUDirect RDMA is used, or why not
   * @param gdrDistance the distance that counts for GPUDirect RDMA
   * @param gdrLimit the farthest path on which GPUDirect RDMA is used
   */
  public record NicAccess(
      PathType direct,
      PathType used,
      OptionalInt relay,
      PxnDecision pxn,
      GdrDecision gdr,
      PathType gdrDistance,
      PathType gdrLimit) {
    /** Whether a GPU sends to a port through another GPU, or the reason against it. */
    public enum PxnDecision {
      /** Another GPU is used. */
      USED,
      /** PXN is switched off by a setting. */
      OFF,
      /** The GPU itself is next to the port. */
      IS_LOCAL,
      /** No GPU prefers this port. */
      NO_LOCAL_GPU,
      /** The path from the GPU next to the port is too long. */
      LOCAL_GPU_TOO_FAR,
      /** No direct NVLink to the GPU next to the port. */
      NO_NVLINK,
      /** The GPU next to the port is on another host. */
      OTHER_HOST,
      /** PXN adds no bandwidth, and the direct path avoids the CPU. */
      NOT_BETTER
    }
  }

  /**
   * Access of NICs to the memory of GPUs: GPUDirect RDMA ({@code ncclTopoCheckGdr}, {@code
   * nccl:src/graph/paths.cc}).
   */
  static final class GdrRules {

    private final Topology topology;
    private final PathTable table;
    private final PathRules rules;
    private final int[] gpus;
    private final boolean overC2c;
    private final PathType limit;
    private final int readSetting;

    GdrRules(Topology topology, PathTable table, NcclSettings settings, PathRules rules) {
      this.topology = topology;
      this.table = table;
      this.rules = rules;
      this.gpus = topology.indexes(NodeType.GPU);
      this.overC2c = settings.gdrOverC2c();
      this.limit = settings.gdrLevel().orElse(overC2c ? rules.gdrOverC2c : rules.gdr);
      this.readSetting = settings.integer("NCCL_NET_GDR_READ", -2);
    }

    /**
     * Whether a port may write to (or read from) the memory of a GPU.
     *
     * @param gpu index of the GPU
     * @param net index of the port
     * @param read whether the NIC reads, as for a send
     */
    GdrDecision check(int gpu, int net, boolean read) {
      GpuNode gpuNode = (GpuNode) topology.node(gpu);
      if (!((NetNode) topology.node(net)).gdr()) {
        return GdrDecision.NIC_WITHOUT_GDR;
      }
      if (!gpuNode.gdr()) {
        return GdrDecision.GPU_WITHOUT_GDR;
      }
      if (read && !mayRead(gpu, gpuNode.sm())) {
        return GdrDecision.READ_OFF;
      }
      return distance(gpu, net).isWithin(limit) ? GdrDecision.ALLOWED : GdrDecision.TOO_FAR;
    }

    /** The farthest path on which GPUDirect RDMA is used. */
    PathType limit() {
      return limit;
    }

    /** The distance as NCCL counts it; P2C may count as another type. */
    PathType counted(PathType distance) {
      return distance == PathType.P2C && overC2c ? rules.gdrP2cAs : distance;
    }

    private boolean mayRead(int gpu, int sm) {
      if (readSetting == 0) {
        return false;
      }
      if (readSetting > 0 || sm >= rules.gdrReadSm || gpus.length == 1) {
        return true;
      }
      return Arrays.stream(gpus)
          .anyMatch(peer -> peer != gpu && table.type(gpu, peer) == PathType.NVL);
    }

    /** The distance that counts; with PXN, the distance from the intermediate GPU. */
    private PathType distance(int gpu, int net) {
      PathType distance = table.type(gpu, net);
      if (distance == PathType.PXN) {
        distance = table.type(pxnRelay(gpu, net), net);
      }
      return counted(distance);
    }

    /** The GPU through which a GPU reaches a port by PXN ({@code ncclTopoGetIntermediateRank}). */
    private int pxnRelay(int gpu, int net) {
      for (int link : table.links(gpu, net)) {
        int node = table.links().to(link);
        NodeType type = topology.node(node).type();
        if (type == NodeType.GPU) {
          return node;
        }
        if (type != NodeType.NVS) {
          break;
        }
      }
      throw new UnusableTopologyException(
          "no GPU between %s and %s for PXN"
              .formatted(topology.node(gpu).label(), topology.node(net).label()));
    }

    /** Use of GPUDirect RDMA between a GPU and a port, or the reason against it. */
    public enum GdrDecision {
      /** It is used. */
      ALLOWED,
      /** The NIC or its driver does not support it. */
      NIC_WITHOUT_GDR,
      /** The GPU does not support it. */
      GPU_WITHOUT_GDR,
      /** Reads are switched off, or would disturb other traffic of an old GPU without NVLink. */
      READ_OFF,
      /** The path is farther than the limit. */
      TOO_FAR;

      public boolean allowed() {
        return this == ALLOWED;
      }
    }
  }
}
