package dev.topo.model;

/**
 * A NUMA domain.
 *
 * @param id host and NUMA id
 * @param numaId NUMA id, -1 where the operating system reports none
 * @param arch instruction set
 * @param vendor who made it; {@link CpuVendor#NONE} except for x86
 * @param model generation as the newest release of NCCL distinguishes it, whatever the release in
 *     use
 */
public record CpuNode(NodeId id, int numaId, CpuArch arch, CpuVendor vendor, CpuModel model)
    implements Node {
  @Override
  public NodeType type() {
    return NodeType.CPU;
  }

  @Override
  public CpuNode withId(NodeId newId) {
    return new CpuNode(newId, numaId, arch, vendor, model);
  }
}
