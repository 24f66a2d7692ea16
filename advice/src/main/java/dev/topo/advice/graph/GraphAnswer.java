package dev.topo.advice.graph;

/** Whether there is a better graph for a job. */
public sealed interface GraphAnswer permits BetterGraph, GraphAnswer.None {
  /**
   * There is none, or none was searched for.
   *
   * @param reason why, as a sentence
   */
  record None(String reason) implements GraphAnswer {}
}
