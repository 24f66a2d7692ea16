package dev.topo.model;

/**
 * The identity of a node among nodes of its type: the host it is on and its number there (the bus
 * id of a PCI device, the NUMA id of a CPU, the device number of a network port). Written as NCCL's
 * log does: both in hexadecimal, {@code 0-1b000}.
 *
 * @param systemId index of the host, 0 unless the topology spans several hosts
 * @param localId number on that host, 56 bits
 */
public record NodeId(int systemId, long localId) {
  public static final int LOCAL_BITS = 56;

  /** The bits that NCCL keeps of a local number ({@code NCCL_TOPO_ID_LOCAL_ID_MASK}). */
  private static final long LOCAL_MASK = 0x00ff_ffff_ffff_ffffL;

  /**
   * Cuts the local number to the 56 bits that NCCL keeps: NUMA id -1 becomes {@code
   * ffffffffffffff}.
   */
  public NodeId {
    localId &= LOCAL_MASK;
  }

  /** The 64-bit number that NCCL uses for this id in its graph files. */
  public long packed() {
    return ((long) systemId << LOCAL_BITS) + localId;
  }

  /** The reverse of {@link #packed}. */
  public static NodeId ofPacked(long packed) {
    return new NodeId((int) (packed >>> LOCAL_BITS), packed);
  }

  @Override
  public String toString() {
    return Long.toHexString(systemId) + "-" + Long.toHexString(localId);
  }
}
