package dev.topo.simulator.evaluate;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.evaluate.ChannelRoutes.BusyLink;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.timing.TimeEstimate;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What an operation made of sends and receives takes.
 *
 * @param operation the operation
 * @param sizeBytes size as nccl-tests counts it
 * @param busBytes the most that a rank sends to others or receives from them
 * @param protocol LL where all data is sent by LL
 * @param channels channels of the slowest rank
 * @param estimate how long that takes
 * @param spread what 90 of 100 predictions of this kind are off by at most, as a part; empty if
 *     that is not known
 * @param source what the estimate rests on
 * @param hashes by how much the time depends on how flows are hashed onto links between switches;
 *     empty where it does not
 * @param link the link that has the most to carry; empty between nodes
 * @param network what the call waits for between nodes; empty in a node, and where it waits for
 *     something else
 * @param moreRanks whether it has more ranks than were measured
 */
public record PeerPrediction(
    PeerOperation operation,
    long sizeBytes,
    long busBytes,
    Protocol protocol,
    int channels,
    TimeEstimate estimate,
    OptionalDouble spread,
    Source source,
    Optional<HashRange> hashes,
    Optional<BusyLink> link,
    Optional<String> network,
    boolean moreRanks) {
  /** Time from call to call in microseconds. */
  public double timeUs() {
    return estimate.timeUs();
  }

  /** Time that 95 of 100 measurements exceed; empty if no range is known. */
  public OptionalDouble shortestUs() {
    return spread.isEmpty()
        ? spread
        : OptionalDouble.of(
            hashes.map(HashRange::low).orElse(1.0) * estimate.shortestUs(spread.getAsDouble()));
  }

  /** Time that 5 of 100 measurements exceed; empty if no range is known. */
  public OptionalDouble longestUs() {
    return spread.isEmpty()
        ? spread
        : OptionalDouble.of(
            hashes.map(HashRange::high).orElse(1.0)
                * estimate.longestUs(spread.getAsDouble(), moreRanks));
  }

  /** The range of the time, for people. */
  public String range() {
    return spread.isEmpty()
        ? "not known"
        : QuantityFormat.times(shortestUs().getAsDouble(), longestUs().getAsDouble());
  }

  /** The busbw at both ends of the range of the time, for people, in GB/s. */
  public String busbwRange() {
    return spread.isEmpty()
        ? "not known"
        : QuantityFormat.bandwidth(busbwGBps() * timeUs() / longestUs().getAsDouble())
            + " to "
            + QuantityFormat.bandwidth(busbwGBps() * timeUs() / shortestUs().getAsDouble());
  }

  /** The link that the call waits for; empty where it waits for something else. */
  public Optional<BusyLink> fullLink() {
    return link.filter(full -> estimate.bottleneck() == Bottleneck.LINKS);
  }

  /** Size by time in GB/s. */
  public double algbwGBps() {
    return Operation.algbwGBps(sizeBytes, timeUs());
  }

  /** nccl-tests' busbw in GB/s, by the busiest rank. */
  public double busbwGBps() {
    return Operation.algbwGBps(busBytes, timeUs());
  }
}
