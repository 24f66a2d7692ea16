package dev.topo.simulator.advice;

import java.util.Optional;

/** A better graph for a job, or the reason why there is none. */
public sealed interface GraphAnswer permits BetterGraph, GraphAnswer.None {
  /**
   * No better graph exists, or none was searched.
   *
   * @param reason the reason, without a full stop
   * @param share share of the bound that the graphs of NCCL's search reach; empty if none was
   *     searched
   */
  record None(String reason, Optional<LinkShare> share) implements GraphAnswer {}
}
