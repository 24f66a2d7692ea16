package dev.topo.search.topology;

/**
 * Treatment of a topology with an element that NCCL does not know, which is probably a typing
 * mistake.
 */
public enum UnknownElements {
  /** It is refused, so that nobody takes an answer without the element for one with it. */
  REJECTED,
  /** The element is left out with a warning; NCCL leaves it out without one. */
  IGNORED
}
