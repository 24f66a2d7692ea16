package dev.topo.search.kernel;

/** How the two buffers of a call are known to NCCL. */
public enum Buffers {
  /** Not registered. */
  PLAIN("plain"),
  /** By {@code ncclCommRegister}, or by a window without the symmetric flag. */
  REGISTERED("registered"),
  /** Both by {@code ncclCommWindowRegister} with {@code NCCL_WIN_COLL_SYMMETRIC}. */
  SYMMETRIC("symmetric");

  private final String label;

  Buffers(String label) {
    this.label = label;
  }

  /** The name in options and outputs. */
  public String label() {
    return label;
  }
}
