package dev.topo.cli.output;

import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.path.Domain;
import java.util.Objects;

/**
 * The graphs of a domain.
 *
 * @param domain where they were found
 * @param graphs the graphs
 */
public record FoundGraphs(Domain domain, NodeGraphs graphs) {
  /** Checks that both are there. */
  public FoundGraphs {
    Objects.requireNonNull(domain, "domain");
    Objects.requireNonNull(graphs, "graphs");
  }
}
