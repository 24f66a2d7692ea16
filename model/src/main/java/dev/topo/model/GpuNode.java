package dev.topo.model;

/**
 * A GPU of the job.
 *
 * @param id host and bus id
 * @param busId PCI bus id as the topology file writes it
 * @param dev device number that NVML gives it on its host
 * @param rank its rank among the GPUs of its machine that take part in the job, from 0
 * @param sm compute capability, major times 10 plus minor: 90 for Hopper
 * @param gdr whether it supports GPUDirect RDMA
 * @param device its PCI device id as the topology file states it, in lower case: {@code 0x2330};
 *     empty without one
 */
public record GpuNode(NodeId id, BusId busId, int dev, int rank, int sm, boolean gdr, String device)
    implements Node {
  /** Checks that no part is missing and that the rank is not negative. */
  public GpuNode {
    if (rank < 0) {
      throw new IllegalArgumentException("rank " + rank + " is negative");
    }
  }

  @Override
  public NodeType type() {
    return NodeType.GPU;
  }

  @Override
  public GpuNode withId(NodeId newId) {
    return new GpuNode(newId, busId, dev, rank, sm, gdr, device);
  }
}
