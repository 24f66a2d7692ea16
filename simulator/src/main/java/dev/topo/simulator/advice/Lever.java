package dev.topo.simulator.advice;

/** Something that can be changed for a call, and whose effect on its time is predicted. */
public enum Lever {
  /** Number of channels, and of blocks of kernels for symmetric windows: NCCL_MIN_CTAS. */
  CHANNELS("channels", Permission.SETTINGS, 1),
  /** Channels of sends and receives, which NCCL_MIN_P2P_NCHANNELS raises. */
  PEER_CHANNELS("peer-channels", Permission.SETTINGS, 1),
  /** Algorithm and protocol. */
  PAIR("pair", Permission.TUNER, 2),
  /** Buffers of ncclCommRegister. */
  REGISTERED("registered", Permission.CODE, 4),
  /** Buffers in windows with NCCL_WIN_COLL_SYMMETRIC. */
  SYMMETRIC("symmetric", Permission.CODE, 5);

  private final String label;
  private final Permission permission;
  private final int effort;

  Lever(String label, Permission permission, int effort) {
    this.label = label;
    this.permission = permission;
    this.effort = effort;
  }

  /** The name in outputs and in the table of errors. */
  public String label() {
    return label;
  }

  /** The permission that it needs. */
  Permission permission() {
    return permission;
  }

  /** The user's effort, to prefer the simpler of two with equal gains. */
  public int effort() {
    return effort;
  }
}
