package dev.topo.simulator.timing;

/** What a call waits for most. */
public enum Bottleneck {
  /** The process is still launching kernels. */
  LAUNCH("launching the kernels of a process's GPUs", "launches"),
  /** Start of the kernel and waiting for neighbours; size hardly matters. */
  LATENCY("start of the kernels and steps between neighbours", "latency"),
  /** Each channel copies as fast as a thread block can: more channels would help. */
  CHANNELS("what the channels can copy", "channels"),
  /** A link is full. */
  LINKS("the busiest link", "bandwidth");

  private final String label;
  private final String word;

  Bottleneck(String label, String word) {
    this.label = label;
    this.word = word;
  }

  /** What it is, for people. */
  public String label() {
    return label;
  }

  /** The same in a word, for tables. */
  public String word() {
    return word;
  }
}
