package dev.topo.search.path;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.PathType;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.rules.PathRules;
import java.util.Arrays;

/**
 * Access of NICs to the memory of GPUs: GPUDirect RDMA ({@code ncclTopoCheckGdr}, {@code
 * nccl:src/graph/paths.cc}).
 */
final class GdrRules {

  private final Topology topology;
  private final PathTable table;
  private final NcclSettings settings;
  private final PathRules rules;
  private final int[] gpus;

  GdrRules(Topology topology, PathTable table, NcclSettings settings, PathRules rules) {
    this.topology = topology;
    this.table = table;
    this.settings = settings;
    this.rules = rules;
    this.gpus = topology.indexes(NodeType.GPU);
  }

  /**
   * True if a port may write to (or read from) a GPU.
   *
   * @param gpu index of the GPU
   * @param net index of the port
   * @param read whether the NIC reads, which is sending
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
    PathType distance = distance(gpu, net);
    return distance.isWithin(limit()) ? GdrDecision.ALLOWED : GdrDecision.TOO_FAR;
  }

  /** The farthest path that is near enough. */
  PathType limit() {
    PathType usual = settings.gdrOverC2c() ? rules.gdrOverC2c : rules.gdr;
    return settings.gdrLevel().orElse(usual);
  }

  /** The distance that a path counts as. */
  PathType counted(PathType distance) {
    return distance == PathType.P2C && settings.gdrOverC2c() ? rules.gdrP2cAs : distance;
  }

  private boolean mayRead(int gpu, int sm) {
    int setting = settings.integer("NCCL_NET_GDR_READ", -2);
    if (setting == 0) {
      return false;
    }
    if (setting > 0 || sm >= rules.gdrReadSm || gpus.length == 1) {
      return true;
    }
    return Arrays.stream(gpus)
        .anyMatch(peer -> peer != gpu && table.type(gpu, peer) == PathType.NVL);
  }

  /** Distance that counts: with PXN that from the GPU in between. */
  private PathType distance(int gpu, int net) {
    PathType distance = table.type(gpu, net);
    if (distance == PathType.PXN) {
      distance = table.type(pxnRelay(gpu, net), net);
    }
    return counted(distance);
  }

  /** The GPU through which a GPU reaches a port by PXN ({@code ncclTopoGetIntermediateRank}). */
  private int pxnRelay(int gpu, int net) {
    return Arrays.stream(table.links(gpu, net))
        .map(table.links()::to)
        .dropWhile(node -> topology.node(node).type() == NodeType.NVS)
        .limit(1)
        .filter(node -> topology.node(node).type() == NodeType.GPU)
        .findFirst()
        .orElseThrow(
            () ->
                new UnusableTopologyException(
                    "no GPU between %s and %s for PXN"
                        .formatted(topology.node(gpu).label(), topology.node(net).label())));
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
