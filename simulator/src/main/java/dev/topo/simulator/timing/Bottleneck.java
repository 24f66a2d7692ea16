package dev.topo.simulator.timing;

/** What a call waits for most. */
public enum Bottleneck {
  /** The process is still launching kernels. */
  LAUNCH("launching the kernels of a process's GPUs"),
  /** Start of the kernel and waiting for neighbours; size hardly matters. */
  LATENCY("start of the kernels and steps between neighbours"),
  /** Each channel copies as fast as a thread block can: more channels would help. */
  CHANNELS("what the channels can copy"),
  /** A link is full. */
  LINKS("the busiest link");

  private final String label;

  Bottleneck(String label) {
    this.label = label;
  }

  /** What it is, for people. */
  public String label() {
    return label;
  }
}
