package dev.topo.simulator.advice;

import dev.topo.model.Link;
import dev.topo.model.Topology;
import dev.topo.search.bound.LinkRates;
import dev.topo.search.path.LinkTable;
import dev.topo.search.path.Paths;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/** The capacities of the links of a machine, by their index in its link table. */
final class LinkCapacities {
  private LinkCapacities() {}

  /** The raw rates in GB/s; infinite if unknown. */
  static IntToDoubleFunction raw(Paths paths) {
    Topology topology = paths.topology();
    LinkTable table = paths.linkTable();
    double[] gbps = new double[table.size()];
    for (int node = 0; node < topology.size(); node++) {
      List<Link> links = topology.links(node);
      for (int l = 0; l < links.size(); l++) {
        double rate = LinkRates.gbps(topology, links.get(l), paths.profile());
        gbps[table.firstOf(node) + l] =
            rate < LinkRates.UNLIMITED_GBPS ? rate : Double.POSITIVE_INFINITY;
      }
    }
    return link -> gbps[link];
  }

  /** The bandwidths that NCCL plans with, in GB/s. */
  static IntToDoubleFunction planned(Paths paths) {
    return link -> paths.linkTable().bwGBps(link);
  }
}
