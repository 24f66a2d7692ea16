package dev.topo.simulator.packing;

/** By which ports channels enter and leave a node. */
public enum PortRule {
  /** By the same one, so that a channel stays on one rail of the network. */
  SAME,
  /**
   * By two, where the next channel goes the other way: nodes change the two on every other node, so
   * that each hop between nodes stays on a rail ({@code crossnic="2"}).
   */
  ALTERNATING;

  /** Channels that are chosen together. */
  int channels() {
    return this == ALTERNATING ? 2 : 1;
  }
}
