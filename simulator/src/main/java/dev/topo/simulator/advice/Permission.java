package dev.topo.simulator.advice;

/** Changes that a user permits. */
public enum Permission {
  /** NCCL's settings. */
  SETTINGS("settings"),
  /** The file of NCCL's tuner plugin. */
  TUNER("tuner"),
  /** The graphs, by NCCL_GRAPH_FILE. */
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
