package dev.topo.search.fabric;

/**
 * Hops between nodes.
 *
 * @param hops all of them
 * @param crossRail those that leave by one port and arrive at one of another number
 * @param crossSwitch those between ports at different leaf switches
 * @param unknown those with an end that the switch map does not know
 */
public record HopCount(int hops, int crossRail, int crossSwitch, int unknown) {
  /** No hops. */
  public static final HopCount NONE = new HopCount(0, 0, 0, 0);

  /** The sum of two counts. */
  public HopCount plus(HopCount other) {
    return new HopCount(
        hops + other.hops,
        crossRail + other.crossRail,
        crossSwitch + other.crossSwitch,
        unknown + other.unknown);
  }
}
