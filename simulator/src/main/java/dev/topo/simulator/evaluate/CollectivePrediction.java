package dev.topo.simulator.evaluate;

import dev.topo.inspect.measured.Measurement.Pair;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.CollectiveCall;
import dev.topo.model.operation.Protocol;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.simulator.timing.TimeEstimate;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a call takes by one algorithm and protocol.
 *
 * @param call the call
 * @param nRanks number of ranks
 * @param algorithm the algorithm; with a symmetric kernel the one that it replaces
 * @param protocol the protocol; with a symmetric kernel the one that it replaces
 * @param kernel what NCCL runs instead where buffers are in symmetric windows
 * @param channels channels that it is launched on
 * @param mostChannels channels that NCCL's tuner allows it
 * @param estimate how long that takes
 * @param source what the estimate rests on
 * @param spread what 90 of 100 predictions of this kind are off by at most, as a part; empty if
 *     that is not known
 * @param hashes by how much the time depends on how flows are hashed onto links between switches;
 *     empty where it does not
 * @param nRanksMeasured the largest number of ranks of the times that constants were fitted to
 * @param isBorrowed whether constants are those of another generation of GPUs
 */
public record CollectivePrediction(
    CollectiveCall call,
    int nRanks,
    Algorithm algorithm,
    Protocol protocol,
    Optional<SymmetricKernel> kernel,
    int channels,
    int mostChannels,
    TimeEstimate estimate,
    Source source,
    OptionalDouble spread,
    Optional<HashRange> hashes,
    int nRanksMeasured,
    boolean isBorrowed)
    implements Prediction {
  /** The algorithm and the protocol. */
  public Pair pair() {
    return new Pair(algorithm, protocol);
  }

  @Override
  public Optional<Algorithm> tunedAlgorithm() {
    return Optional.of(algorithm);
  }

  @Override
  public String launchName() {
    return kernel
        .map(SymmetricKernel::label)
        .orElseGet(() -> algorithm.label() + "/" + protocol.label());
  }

  @Override
  public boolean hasMoreRanks() {
    return nRanks > nRanksMeasured && source == Source.CALIBRATION;
  }

  @Override
  public double busbwGBps() {
    return call.collective().busbwGBps(call.sizeBytes(), timeUs(), nRanks);
  }
}
