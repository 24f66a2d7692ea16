package dev.topo.simulator.advice;

import dev.topo.model.Labels;

/** Kinds of changes that a user may permit. */
public enum Permission {
  /** NCCL's settings. */
  SETTINGS,
  /** The file of NCCL's tuner plugin. */
  TUNER,
  /** The channel graphs, through NCCL_GRAPH_FILE. */
  GRAPH,
  /** The program: how its buffers are allocated and registered. */
  CODE;

  /** The name in options and outputs. */
  public String label() {
    return Labels.of(this);
  }
}
