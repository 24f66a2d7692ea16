package dev.topo.search.tuning;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;

/**
 * What NCCL believes a call to take by one algorithm and protocol.
 *
 * @param algorithm the algorithm
 * @param protocol the protocol
 * @param timeUs time in microseconds
 */
public record Estimate(Algorithm algorithm, Protocol protocol, float timeUs) {}
