package dev.topo.search.bound;

import dev.topo.model.Link;
import java.util.List;

/**
 * Links that separate devices of a topology from each other.
 *
 * @param links the links, by number of the node that they leave
 * @param gpus indexes of the GPUs on one side; all of them if the cut separates each GPU from the
 *     others, or all from the network
 */
public record Cut(List<Link> links, List<Integer> gpus) {
  public Cut {
    links = List.copyOf(links);
    gpus = List.copyOf(gpus);
  }

  /** The bandwidth of all links together in GB/s. */
  double capacityGBps() {
    return links.stream().mapToDouble(Link::bwGBps).sum();
  }
}
