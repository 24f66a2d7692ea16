package dev.topo.simulator.diagnosis;

import dev.topo.model.Labels;

/** Levels of certainty of a cause. */
public enum Certainty {
  /** The log or the settings state it. */
  STATED,
  /** The measured times fit it much better than any other known cause. */
  LIKELY,
  /** The measured times fit it about as well as another cause. */
  POSSIBLE;

  public String label() {
    return Labels.of(this);
  }
}
