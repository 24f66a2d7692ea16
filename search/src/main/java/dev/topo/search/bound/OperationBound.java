package dev.topo.search.bound;

import dev.topo.model.Link;
import dev.topo.model.operation.Operation;
import java.util.List;

/**
 * An upper bound on the bandwidth of an operation over the links of a job. No schedule of transfers
 * exceeds it, so it is also a lower bound on the time of a call.
 *
 * @param operation the operation; rank 0 is the root
 * @param nRanks number of ranks
 * @param algbwGBps the bound on algbw in GB/s: the size of a call, as nccl-tests counts it, divided
 *     by its shortest possible time
 * @param reduced whether the bound assumes that switches reduce, so that each rank sends its data
 *     only once
 * @param cut the links that determine the bound
 * @param parts number of parts into which these links, taken on all nodes, divide the job; 1 if
 *     they only separate one side from the rest
 */
public record OperationBound(
    Operation operation, int nRanks, double algbwGBps, boolean reduced, BoundCut cut, long parts) {
  /** The lower bound on the time of a call of {@code bytes} bytes, in microseconds. */
  public double timeUs(double bytes) {
    return bytes / algbwGBps * 1e-3;
  }

  /** The bound on busbw, as nccl-tests defines it, in GB/s. */
  public double busbwGBps() {
    return algbwGBps * operation.busbwFactor(nRanks);
  }

  /**
   * The fraction of the bound that a call reaches; 1 at the bound.
   *
   * @param bytes size of the call, as nccl-tests counts it
   * @param timeUs time of the call in microseconds
   */
  public double share(double bytes, double timeUs) {
    return timeUs(bytes) / timeUs;
  }

  /**
   * The links that determine a bound: all links into one set of GPUs of a node (a side), or into
   * each of several.
   *
   * @param node a node of the job with this cut; equal nodes have equal cuts
   * @param sides the GPUs of each side, by index in the topology of the node
   * @param links the links that cross the cut in the direction of the data
   * @param gbps the raw rate of each link in GB/s
   * @param outwards whether the data leaves the sides instead of entering them
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

  /** The links of a machine that a bound takes into account. */
  public enum LinkScope {
    /**
     * The links on NCCL's paths between GPUs and between GPUs and ports. The bound then holds for
     * every schedule over NCCL's connections. PCI links in parallel with NVLink do not count.
     */
    PATHS,
    /** All links of the machine. The bound then holds for every communication library. */
    ALL
  }
}
