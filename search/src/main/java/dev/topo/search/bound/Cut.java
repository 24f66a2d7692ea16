package dev.topo.search.bound;

import dev.topo.model.Link;
import java.util.List;

/**
 * A set of links that separates devices of a topology from each other.
 *
 * @param links the links, ordered by the index of the node that they leave
 * @param gpus indexes of the GPUs on one side; all GPUs if the cut separates each GPU from the
 *     others, or all GPUs from the network
 */
public record Cut(List<Link> links, List<Integer> gpus) {
  public Cut {
    links = List.copyOf(links);
    gpus = List.copyOf(gpus);
  }

  /** The total bandwidth of the links in GB/s. */
  double capacityGBps() {
    return links.stream().mapToDouble(Link::bwGBps).sum();
  }
}
