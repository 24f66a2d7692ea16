package dev.topo.model.io;

import dev.topo.model.io.SpecField.SpecText;

/** An error whose message names what a question states. */
public interface SpecWorded {
  /** The message, for any names of the fields. */
  SpecText text();
}
