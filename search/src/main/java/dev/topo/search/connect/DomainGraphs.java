package dev.topo.search.connect;

import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.path.Domain;
import java.util.List;

/**
 * The graphs of a group of GPUs that reach each other without the network.
 *
 * @param domain the devices
 * @param graphs their graphs
 */
public record DomainGraphs(Domain domain, NodeGraphs graphs) {
  /**
   * Takes the graphs of the domains of a machine from a source, usually a search.
   *
   * @param settings the settings of the machine
   * @param inputs reads the files that settings name
   * @throws UnusableTopologyException where NCCL would not start
   */
  public static List<DomainGraphs> of(
      List<Domain> domains, NcclSettings settings, GraphSource source, Inputs inputs) {
    return domains.stream()
        .map(domain -> new DomainGraphs(domain, source.graphs(domain, settings, inputs)))
        .toList();
  }
}
