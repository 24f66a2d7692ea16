package dev.topo.simulator.verdict;

import dev.topo.model.operation.Operation;
import dev.topo.search.explain.ExplainedBound.CutLink;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The lower bound of a call's time on the links of a job: the links that set it, and how close NCCL
 * comes to it.
 *
 * @param collective the operation; rank 0 is the root
 * @param bytes size as nccl-tests counts it
 * @param timeUs least time of any schedule over the links of NCCL's paths, in microseconds
 * @param inSwitchReduction whether switches reduce, so that each GPU's data has to reach them only
 *     once
 * @param side the side of the job that the cut separates, in words
 * @param parts number of parts into which such cuts on all nodes divide the job; 1 if the cut
 *     separates one side from the rest
 * @param cutGBps the raw rate of the cut
 * @param cut the links of the cut in the direction of the data
 * @param allLinksTimeUs least time of any schedule over all links of the machine; empty if it is
 *     not notably shorter than over the links of NCCL's paths
 * @param graphs share of the bound that the channels of each graph reach at the raw rates of links
 * @param predicted predicted time of NCCL's choice
 * @param notCounted sentences about links that the bound leaves out because their rate is unknown,
 *     and about links whose rate is assumed
 */
public record BoundReport(
    Operation collective,
    long bytes,
    double timeUs,
    double algbwGBps,
    double busbwGBps,
    boolean inSwitchReduction,
    String side,
    long parts,
    double cutGBps,
    List<CutLink> cut,
    OptionalDouble allLinksTimeUs,
    List<GraphShare> graphs,
    Optional<PredictedShare> predicted,
    List<String> notCounted) {
  public BoundReport {
    notCounted = List.copyOf(notCounted);
    cut = List.copyOf(cut);
    graphs = List.copyOf(graphs);
  }

  /**
   * The share of the bound that the channels of a graph reach.
   *
   * @param graph the graph: {@code ring}
   * @param share share of the bound; 1 is the whole bound
   */
  public record GraphShare(String graph, double share) {}

  /**
   * The predicted time of a call.
   *
   * @param by algorithm and protocol, or a name for sends and receives
   * @param share share of the bound; 1 is the whole bound
   */
  public record PredictedShare(String by, double timeUs, double share) {}
}
