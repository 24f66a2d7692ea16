package dev.topo.search.kernel;

/** A component that accesses registered buffers directly, without a copy to NCCL's own buffers. */
public enum RegisteredPart {
  /** The NVLink switch ({@code NCCL_NVLS_REG_BUFFER}). */
  NVLS("nvls"),
  /** Other GPUs of the node ({@code NCCL_IPC_REG_BUFFER}). */
  PEERS("p2p"),
  /** The network ({@code NCCL_NET_REG_BUFFER}). */
  NETWORK("net"),
  /** In-network reduction ({@code NCCL_NET_REG_BUFFER}). */
  COLLNET("collnet");

  private final String label;

  RegisteredPart(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
