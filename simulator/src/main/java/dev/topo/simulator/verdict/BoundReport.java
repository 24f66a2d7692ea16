package dev.topo.simulator.verdict;

import dev.topo.model.operation.Operation;
import dev.topo.search.explain.ExplainedBound.CutLink;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The least time of a call on the links of a job, what sets it, and how near NCCL comes.
 *
 * @param collective the operation; rank 0 is the root
 * @param bytes size as nccl-tests counts it
 * @param timeUs the time that no schedule over the links of NCCL's paths beats, in microseconds
 * @param inSwitchReduction whether switches reduce, so that data has to reach them once
 * @param side what the cut separates from the rest, in words
 * @param parts number of parts of the job that such links, on all nodes, separate from each other;
 *     1 where they separate one side from the rest
 * @param cutGBps the raw rate of the cut
 * @param cut the links of the cut in the direction of the data
 * @param allLinksTimeUs the time that no schedule over any links of the machine beats; empty if no
 *     more links count than those of NCCL's paths
 * @param graphs what the channels that NCCL finds reach of the bound by the raw rates of links
 * @param predicted what NCCL's choice is predicted to take
 * @param notCounted links whose rate is not known, which are no limit here, and those that may be
 *     faster than the file says, a sentence each
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
   * The share of the channels of a graph.
   *
   * @param graph the graph: {@code ring}
   * @param share their part of the bound; 1 is all
   */
  public record GraphShare(String graph, double share) {}

  /**
   * The predicted time of a call.
   *
   * @param by algorithm and protocol, or how sends and receives run
   * @param share the part of the bound that it reaches; 1 is all
   */
  public record PredictedShare(String by, double timeUs, double share) {}
}
