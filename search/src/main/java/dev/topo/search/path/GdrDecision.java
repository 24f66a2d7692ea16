package dev.topo.search.path;

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
