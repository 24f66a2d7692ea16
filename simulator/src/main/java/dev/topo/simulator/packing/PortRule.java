package dev.topo.simulator.packing;

/** Rules for the ports through which channels enter and leave a node. */
public enum PortRule {
  /** The same port, so that a channel stays on one rail of the network. */
  SAME,
  /**
   * Two ports, with the next channel in the opposite direction: every other node swaps the two, so
   * that each hop between nodes stays on a rail ({@code crossnic="2"}).
   */
  ALTERNATING;

  /** Number of channels that are chosen together. */
  int channels() {
    return this == ALTERNATING ? 2 : 1;
  }
}
