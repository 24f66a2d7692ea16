package dev.topo.simulator.packing;

import java.util.List;

/**
 * A channel in a node.
 *
 * @param gpus its GPUs in order, by their place among the GPUs of the node
 * @param in port at which it enters, by its place among the ports; 0 where it stays in the node
 * @param out port at which it leaves
 */
public record PlacedChannel(List<Integer> gpus, int in, int out) {
  public PlacedChannel {
    gpus = List.copyOf(gpus);
  }
}
