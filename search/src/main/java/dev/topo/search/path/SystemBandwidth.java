package dev.topo.search.path;

import dev.topo.model.Link;
import dev.topo.model.LinkType;
import dev.topo.model.Topology;
import dev.topo.model.node.NodeType;

/**
 * What the GPUs of a domain can carry at best. NCCL's log has both numbers in the line that starts
 * with {@code === System} ({@code ncclTopoSearchInit}, {@code nccl:src/graph/search.cc}).
 *
 * @param maxGBps the most that a single channel can carry
 * @param totalGBps the most that a GPU can carry over all its links of one kind
 */
public record SystemBandwidth(float maxGBps, float totalGBps) {
  /** The bandwidth of a domain. */
  public static SystemBandwidth of(Domain domain) {
    if (!domain.crossesNetwork() && domain.topology().gpus().size() == 1) {
      float local = domain.profile().links().local();
      return new SystemBandwidth(local, domain.profile().paths().oneGpuTotalGBps);
    }
    Paths.Fastest fastest = domain.paths().fastest();
    return new SystemBandwidth(
        domain.crossesNetwork() ? fastest.toPortGBps() : fastest.toGpuGBps(),
        total(domain.topology()));
  }

  private static float total(Topology topology) {
    float max = 0;
    for (int gpu : topology.indexes(NodeType.GPU)) {
      float nvlink = 0;
      float pci = 0;
      for (Link link : topology.links(gpu)) {
        if (link.type() == LinkType.NVL) {
          nvlink += link.bwGBps();
        } else if (link.type() == LinkType.PCI) {
          pci = link.bwGBps();
        }
      }
      max = Math.max(max, Math.max(pci, nvlink));
    }
    return max;
  }
}
