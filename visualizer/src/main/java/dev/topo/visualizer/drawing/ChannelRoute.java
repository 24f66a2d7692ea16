package dev.topo.visualizer.drawing;

import dev.topo.model.Link;
import dev.topo.model.graph.ChannelGraph;
import java.util.List;
import java.util.Map;

/**
 * The route of a channel over a machine.
 *
 * @param graph the graph that it belongs to
 * @param channel its number in the graph
 * @param gpus indexes of its GPUs in the topology, in the order in which data passes them
 * @param links the directed links that it uses, each once, by the nodes at their ends
 * @param full the links on which the channels of the graph together leave no room for another one,
 *     with the bandwidth used in GB/s
 */
public record ChannelRoute(
    ChannelGraph graph, int channel, List<Integer> gpus, List<Link> links, Map<Link, Double> full) {
  public ChannelRoute {
    gpus = List.copyOf(gpus);
    links = List.copyOf(links);
    full = Map.copyOf(full);
  }
}
