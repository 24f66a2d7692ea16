package dev.topo.search.bound;

import dev.topo.model.Link;
import java.util.List;

/**
 * The links that set a bound: all that lead into one side of a node, or into each of several.
 *
 * @param node a node of the job on which it is; equal nodes have equal cuts
 * @param sides the GPUs of each side, by their index in the topology of the node
 * @param links the links that cross the cut, in the direction of the data
 * @param gbps the raw rate of each of the links in GB/s
 * @param outwards whether the data that counts leaves the sides, instead of entering them
 */
public record BoundCut(
    int node, List<List<Integer>> sides, List<Link> links, List<Double> gbps, boolean outwards) {
  public BoundCut {
    sides = sides.stream().map(List::copyOf).toList();
    links = List.copyOf(links);
    gbps = List.copyOf(gbps);
  }

  /** The raw rate of all links together in GB/s. */
  public double capacityGBps() {
    return gbps.stream().mapToDouble(Double::doubleValue).sum();
  }
}
