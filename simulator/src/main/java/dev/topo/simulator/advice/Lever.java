package dev.topo.simulator.advice;

/** A change of a call whose effect on its time is predicted. */
public enum Lever {
  /**
   * Number of channels, and of thread blocks of the kernels for symmetric windows: NCCL_MIN_CTAS.
   */
  CHANNELS("channels", 1),
  /** Number of channels of sends and receives: NCCL_MIN_P2P_NCHANNELS. */
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

  /**
   * The user's effort, on an arbitrary scale, to prefer the simpler of two changes with equal
   * gains.
   */
  public int effort() {
    return effort;
  }
}
