package dev.topo.visualizer.structure;

import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.search.path.Domain;

/**
 * The graphs of a domain.
 *
 * @param place where in the job it is
 * @param domain the devices
 * @param graphs the graphs
 */
public record FoundGraphs(Place place, Domain domain, NodeGraphs graphs) {
  /**
   * Where in a job some graphs belong.
   *
   * @param machines the machines of the communicator in words
   * @param split the communicators of a split that these are, as a list of colours; empty for the
   *     whole job
   * @param nMachines number of machines of the communicator
   * @param nRanks number of its ranks
   * @param nodes the machines that these graphs are for, as a list of numbers; empty for all
   * @param group which group of GPUs that only the network joins, from 1
   * @param groups number of such groups
   */
  public record Place(
      String machines,
      String split,
      int nMachines,
      int nRanks,
      String nodes,
      int group,
      int groups) {}
}
