package dev.topo.search.bound;

import dev.topo.model.operation.Operation;

/**
 * The bandwidth that no schedule of an operation exceeds on the links of a job, and so the time
 * that none beats.
 *
 * @param operation the operation; rank 0 is the root
 * @param nRanks number of ranks
 * @param scope which links are counted
 * @param algbwGBps bytes of a call, as nccl-tests counts them, by the least time, in GB/s
 * @param reduced whether switches reduce, so that data needs to reach a switch once only
 * @param cut the links that set the bound
 * @param parts number of parts of the job that these links, on all nodes, separate from each other;
 *     1 where they separate one side from the rest
 */
public record OperationBound(
    Operation operation,
    int nRanks,
    LinkScope scope,
    double algbwGBps,
    boolean reduced,
    BoundCut cut,
    long parts) {
  /** The least time of a call in microseconds. */
  public double timeUs(double bytes) {
    return bytes / algbwGBps * 1e-3;
  }

  /** The bandwidth in terms of nccl-tests' busbw in GB/s. */
  public double busbwGBps() {
    return algbwGBps * operation.busbwFactor(nRanks);
  }

  /** The part of the bound that a call of some bytes reaches in some time; 1 is all. */
  public double share(double bytes, double timeUs) {
    return timeUs(bytes) / timeUs;
  }
}
