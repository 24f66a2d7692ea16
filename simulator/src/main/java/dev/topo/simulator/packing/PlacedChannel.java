package dev.topo.simulator.packing;

import java.util.List;

/**
 * A channel in a node.
 *
 * @param gpus its GPUs in order, as indices among the GPUs of the node
 * @param in port through which it enters, as an index among the ports; 0 if it stays in the node
 * @param out port through which it leaves; 0 if it stays in the node
 */
public record PlacedChannel(List<Integer> gpus, int in, int out) {
  public PlacedChannel {
    gpus = List.copyOf(gpus);
  }
}
