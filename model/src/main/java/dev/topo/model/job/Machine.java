package dev.topo.model.job;

import dev.topo.model.Topology;
import dev.topo.model.node.GpuNode;
import dev.topo.model.settings.NcclSettings;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/**
 * A machine that takes part in a job.
 *
 * @param topology the machine with the GPUs that take part, whose ranks are 0 to their number minus
 *     1
 * @param settings the settings of the processes on it
 */
public record Machine(Topology topology, NcclSettings settings) {
  /** Checks that every rank is there once. */
  public Machine {
    Objects.requireNonNull(topology, "topology");
    Objects.requireNonNull(settings, "settings");
    List<Integer> ranks = topology.gpus().stream().map(GpuNode::rank).toList();
    BitSet seen = new BitSet();
    ranks.forEach(seen::set);
    if (ranks.isEmpty() || seen.cardinality() != ranks.size() || seen.length() != ranks.size()) {
      throw new IllegalArgumentException(
          "ranks " + ranks + " of the GPUs are not 0 to " + (ranks.size() - 1) + ", each once");
    }
  }

  /** Number of GPUs that take part. */
  public int nRanks() {
    return topology.gpus().size();
  }
}
