package dev.topo.simulator.evaluate;

import dev.topo.simulator.network.NetworkTime.Limit;

/**
 * The part of the network, or of the nodes, that a call between nodes waits for.
 *
 * @param limit its kind
 * @param name the busiest port; of other kinds the part in words
 */
public record NetworkPart(Limit limit, String name) {
  /** The part as tables show it. */
  public String words() {
    return limit == Limit.PORT ? "NIC " + name : name;
  }
}
