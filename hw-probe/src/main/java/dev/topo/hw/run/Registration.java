package dev.topo.hw.run;

/** The registration of buffers with NCCL; the numbers are those of {@code -R}. */
public enum Registration {
  /** They are not. */
  NONE,
  /** By {@code ncclCommRegister}, from NCCL 2.19 on. */
  LOCAL,
  /** By {@code ncclCommWindowRegister} as symmetric windows, from NCCL 2.27 on. */
  SYMMETRIC
}
