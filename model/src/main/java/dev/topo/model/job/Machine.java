package dev.topo.model.job;

import dev.topo.model.GpuNode;
import dev.topo.model.Topology;
import java.util.BitSet;
import java.util.List;

/**
 * A machine that takes part in a job.
 *
 * @param topology the machine with the GPUs that take part, whose ranks are 0 to their number minus
 *     1
 * @param settings the settings of the processes on it
 */
public record Machine(Topology topology, NcclSettings settings) {
  /**
   * Checks that every rank is there once.
   *
   * @throws UnusableTopologyException if not, where NCCL does not find a rank either ({@code
   *     nccl:src/graph/topo.h#ncclTopoRankToIndex})
   */
  public Machine {
    List<Integer> ranks = topology.gpus().stream().map(GpuNode::rank).toList();
    BitSet seen = new BitSet();
    ranks.forEach(seen::set);
    if (ranks.isEmpty() || seen.cardinality() != ranks.size() || seen.length() != ranks.size()) {
      // A GPU of the file need not be one of the topology: NCCL ignores what is below an endpoint.
      throw new UnusableTopologyException(
          "the GPUs that it finds have the ranks " + ranks + ", expected each from 0 on once");
    }
  }

  /**
   * The machine with its ports merged as its settings say; the same object where that changes
   * nothing.
   *
   * @throws UnusableTopologyException if NCCL fails to merge them
   */
  public Machine withMergedPorts() {
    Topology seen = topology.merged(settings.nicMerging());
    return seen == topology ? this : new Machine(seen, settings);
  }

  /** Number of GPUs that take part. */
  public int nRanks() {
    return topology.gpus().size();
  }
}
