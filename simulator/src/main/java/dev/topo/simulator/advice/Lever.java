package dev.topo.simulator.advice;

/** A change of a call whose effect on its time is predicted. */
public enum Lever {
  /** Number of channels, and of blocks of kernels for symmetric windows: NCCL_MIN_CTAS. */
  CHANNELS("channels", 1),
  /** Channels of sends and receives, which NCCL_MIN_P2P_NCHANNELS raises. */
  PEER_CHANNELS("peer-channels", 1),
  /** Algorithm and protocol. */
  PAIR("pair", 2),
  /** Buffers of ncclCommRegister. */
  REGISTERED("registered", 4),
  /** Buffers in windows with NCCL_WIN_COLL_SYMMETRIC. */
  SYMMETRIC("symmetric", 5);

  private final String label;
  private final int effort;

  Lever(String label, int effort) {
    this.label = label;
    this.effort = effort;
  }

  /** The name in outputs and in the table of errors. */
  public String label() {
    return label;
  }

  /** The user's effort, to prefer the simpler of two with equal gains. */
  public int effort() {
    return effort;
  }
}
