package dev.topo.simulator.advice;

import java.util.Optional;

/** A better graph for a job, or the reason why there is none. */
public sealed interface GraphAnswer permits BetterGraph, GraphAnswer.None {
  /**
   * There is none, or none was searched for.
   *
   * @param reason why, without a full stop
   * @param share what the graphs of NCCL's search reach of the bound; empty if none was searched
   *     for
   */
  record None(String reason, Optional<LinkShare> share) implements GraphAnswer {}
}
