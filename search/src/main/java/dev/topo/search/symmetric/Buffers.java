package dev.topo.search.symmetric;

/** How the two buffers of a call are known to NCCL. */
public enum Buffers {
  /** Not registered. */
  PLAIN,
  /** By {@code ncclCommRegister}, or by a window without the symmetric flag. */
  REGISTERED,
  /** Both by {@code ncclCommWindowRegister} with {@code NCCL_WIN_COLL_SYMMETRIC}. */
  SYMMETRIC
}
