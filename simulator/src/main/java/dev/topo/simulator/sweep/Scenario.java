package dev.topo.simulator.sweep;

import dev.topo.model.QuantityFormat;

/**
 * The scenario of a comparison of designs: a call or workload on a number of nodes.
 *
 * @param question the call or the workload
 * @param nodes number of nodes
 */
public record Scenario(String question, int nodes) {
  /** The scenario of a row. */
  static Scenario of(ResultRow row) {
    return new Scenario(
        row.workload().isEmpty()
            ? row.collective() + " " + QuantityFormat.size(row.bytes())
            : row.workload(),
        row.nodes());
  }

  /** Question and number of nodes in text. */
  public String label() {
    return question + " on " + QuantityFormat.count(nodes, "node");
  }
}
