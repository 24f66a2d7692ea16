package dev.topo.hw.run;

/** Registration of buffers with NCCL; the numbers are as for {@code -R}. */
public enum Registration {
  /** No registration. */
  NONE,
  /** With {@code ncclCommRegister}, from NCCL 2.19 on. */
  LOCAL,
  /** With {@code ncclCommWindowRegister} as symmetric windows, from NCCL 2.27 on. */
  SYMMETRIC
}
