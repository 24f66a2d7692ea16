package dev.topo.simulator.advice;

import dev.topo.model.Labels;

/** A change of a call whose effect on its time is predicted. */
public enum Lever {
  /**
   * Number of channels, and of thread blocks of the kernels for symmetric windows: NCCL_MIN_CTAS.
   */
  CHANNELS(1),
  /** Number of channels of sends and receives: NCCL_MIN_P2P_NCHANNELS. */
  PEER_CHANNELS(1),
  /** Algorithm and protocol. */
  PAIR(2),
  /** Buffers of ncclCommRegister. */
  REGISTERED(4),
  /** Buffers in windows with NCCL_WIN_COLL_SYMMETRIC. */
  SYMMETRIC(5);

  private final int effort;

  Lever(int effort) {
    this.effort = effort;
  }

  /** The name in outputs and in the table of errors. */
  public String label() {
    return Labels.of(this);
  }

  /**
   * The user's effort, on an arbitrary scale, to prefer the simpler of two changes with equal
   * gains.
   */
  public int effort() {
    return effort;
  }
}
