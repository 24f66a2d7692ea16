package dev.topo.simulator.evaluate;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.simulator.evaluate.ChannelRoutes.BusyLink;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.timing.TimeEstimate;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What an operation made of sends and receives takes.
 *
 * @param call the call
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
 * @param hasMoreRanks whether it has more ranks than were measured
 * @param isBorrowed whether constants are those of another generation of GPUs
 */
public record PeerPrediction(
    PeerCall call,
    long busBytes,
    Protocol protocol,
    int channels,
    TimeEstimate estimate,
    OptionalDouble spread,
    Source source,
    Optional<HashRange> hashes,
    Optional<BusyLink> link,
    Optional<NetworkPart> network,
    boolean hasMoreRanks,
    boolean isBorrowed)
    implements Prediction {
  /** The operation. */
  public PeerOperation operation() {
    return call.operation();
  }

  /** Size as nccl-tests counts it. */
  public long sizeBytes() {
    return call.sizeBytes();
  }

  @Override
  public Optional<Algorithm> tunedAlgorithm() {
    return Optional.empty();
  }

  @Override
  public Optional<SymmetricKernel> kernel() {
    return Optional.empty();
  }

  @Override
  public int mostChannels() {
    return channels;
  }

  @Override
  public String launchName() {
    return protocol.label();
  }

  /** The link that the call waits for; empty where it waits for something else. */
  public Optional<BusyLink> fullLink() {
    return link.filter(full -> estimate.bottleneck() == Bottleneck.LINKS);
  }

  @Override
  public double busbwGBps() {
    return Operation.algbwGBps(busBytes, timeUs());
  }
}
