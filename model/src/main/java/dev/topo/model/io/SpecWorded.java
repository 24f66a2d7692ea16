package dev.topo.model.io;

/** An error whose message names what a question states. */
public interface SpecWorded {
  /** The message, for any names of the fields. */
  SpecText text();
}
