package dev.topo.search.tuning;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import java.util.Objects;

/**
 * What NCCL believes a call to take by one algorithm and protocol.
 *
 * @param algorithm the algorithm
 * @param protocol the protocol
 * @param timeUs time in microseconds
 */
public record Estimate(Algorithm algorithm, Protocol protocol, float timeUs) {
  /** Checks that no part is missing. */
  public Estimate {
    Objects.requireNonNull(algorithm, "algorithm");
    Objects.requireNonNull(protocol, "protocol");
  }
}
