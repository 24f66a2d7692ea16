package dev.topo.simulator.advice;

/** Kinds of changes that a user may permit. */
public enum Permission {
  /** NCCL's settings. */
  SETTINGS("settings"),
  /** The file of NCCL's tuner plugin. */
  TUNER("tuner"),
  /** The channel graphs, through NCCL_GRAPH_FILE. */
  GRAPH("graph"),
  /** The program: how its buffers are allocated and registered. */
  CODE("code");

  private final String label;

  Permission(String label) {
    this.label = label;
  }

  /** The name in options and outputs. */
  public String label() {
    return label;
  }
}
