package dev.topo.search.connect;

import dev.topo.model.graph.NodeGraphs;
import dev.topo.search.path.Domain;

/**
 * The graphs of a group of GPUs that reach each other without the network.
 *
 * @param domain the devices
 * @param graphs their graphs
 */
public record DomainGraphs(Domain domain, NodeGraphs graphs) {}
