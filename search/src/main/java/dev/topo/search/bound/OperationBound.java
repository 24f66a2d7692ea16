package dev.topo.search.bound;

import dev.topo.model.Link;
import dev.topo.model.operation.Operation;
import java.util.List;

/**
 * Upper bound of the bandwidth of an operation, for any schedule on the links of a job, and with it
 * the least time.
 *
 * @param operation the operation; rank 0 is the root
 * @param nRanks number of ranks
 * @param algbwGBps bytes of a call, as nccl-tests counts them, divided by the least time, in GB/s
 * @param reduced whether switches reduce, so that data needs to reach a switch once only
 * @param cut the links that set the bound
 * @param parts number of parts of the job that these links, on all nodes, separate from each other;
 *     1 where they separate one side from the rest
 */
public record OperationBound(
    Operation operation, int nRanks, double algbwGBps, boolean reduced, BoundCut cut, long parts) {
  /** The least time of a call in microseconds. */
  public double timeUs(double bytes) {
    return bytes / algbwGBps * 1e-3;
  }

  /** The bandwidth in terms of nccl-tests' busbw in GB/s. */
  public double busbwGBps() {
    return algbwGBps * operation.busbwFactor(nRanks);
  }

  /**
   * The fraction of the bound that a call of {@code bytes} reaches in {@code timeUs}; 1 at the
   * bound.
   */
  public double share(double bytes, double timeUs) {
    return timeUs(bytes) / timeUs;
  }

  /**
   * The links that set a bound: all links into one side of a node, or into each of several.
   *
   * @param node a node of the job with this cut; equal nodes have equal cuts
   * @param sides the GPUs of each side, by their index in the topology of the node
   * @param links the links that cross the cut, in the direction of the data
   * @param gbps the raw rate of each of the links in GB/s
   * @param outwards whether the counted data leaves the sides instead of entering them
   */
  public record BoundCut(
      int node, List<List<Integer>> sides, List<Link> links, List<Double> gbps, boolean outwards) {
    public BoundCut {
      sides = sides.stream().map(List::copyOf).toList();
      links = List.copyOf(links);
      gbps = List.copyOf(gbps);
    }

    /** The total raw rate of the links in GB/s. */
    public double capacityGBps() {
      return gbps.stream().mapToDouble(Double::doubleValue).sum();
    }
  }

  /** Which links of a machine a bound counts. */
  public enum LinkScope {
    /**
     * The links of the paths that NCCL uses between GPUs, and between GPUs and ports: no schedule
     * over NCCL's connections exceeds their rates. PCI links in parallel with NVLink are excluded.
     */
    PATHS,
    /** All links of the machine: no data transfer of any library exceeds their rates. */
    ALL
  }
}
