package dev.topo.search.tuning;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Protocol;

/**
 * The time of a call with one algorithm and protocol in NCCL's model.
 *
 * @param timeUs time in microseconds
 */
public record Estimate(Algorithm algorithm, Protocol protocol, float timeUs) {
  /** The algorithm and the protocol. */
  public Pair pair() {
    return new Pair(algorithm, protocol);
  }
}
