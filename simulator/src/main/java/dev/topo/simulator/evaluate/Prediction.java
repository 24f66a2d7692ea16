package dev.topo.simulator.evaluate;

import dev.topo.inspect.measured.Measurement.Pair;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.Protocol;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.search.tuning.CollectiveCall;
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
 */
public record Prediction(
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
    int nRanksMeasured) {
  /** What an estimate rests on. */
  public enum Source {
    /** The timing model, with measured constants. */
    CALIBRATION("calibration"),
    /**
     * The timing model, with two constants for all of an algorithm, NVLS, which rest on busbw that
     * others have published (docs/accuracy-published.md), as long as nobody has fitted them.
     */
    PUBLISHED("published"),
    /**
     * The model of the network between nodes, with constants from what others have published
     * (docs/accuracy-network.md), beside the timing model inside each node.
     */
    NETWORK("network"),
    /**
     * The same for algorithms of which no run between nodes is known: PAT, and AllReduce by a
     * network that reduces (SHARP). No range is known.
     */
    UNMEASURED("network-unmeasured"),
    /**
     * NCCL's own tuning model, with the cost of launches from the calibration: where neither of the
     * two knows the algorithm.
     */
    NCCL_MODEL("nccl-model");

    private final String label;

    Source(String label) {
      this.label = label;
    }

    /** The name in JSON. */
    public String label() {
      return label;
    }

    /**
     * Whether it predicts times, so that they can be compared with those of another source that
     * does. NCCL's own model only ranks algorithms.
     */
    public boolean predictsTimes() {
      return this != NCCL_MODEL;
    }

    /**
     * Whether its times are good enough to judge a measurement or NCCL's choice. Between nodes they
     * rest on other clusters, and those of small calls may be several times off.
     */
    public boolean judges() {
      return this == CALIBRATION || this == PUBLISHED;
    }
  }

  /** The algorithm and the protocol. */
  public Pair pair() {
    return new Pair(algorithm, protocol);
  }

  /** By what NCCL runs the call, as it names that: {@code Ring/LL}, {@code AllGather_ST}. */
  public String by() {
    return kernel
        .map(SymmetricKernel::label)
        .orElseGet(() -> algorithm.label() + "/" + protocol.label());
  }

  /** Whether it rests on measured constants. */
  public boolean isCalibrated() {
    return source == Source.CALIBRATION;
  }

  /** Whether the time holds what published runs of such calls took longer than the model gives. */
  public boolean hasKnownBias() {
    return estimate.biasUs() > 0;
  }

  /** Time from call to call in microseconds. */
  public double timeUs() {
    return estimate.timeUs();
  }

  /**
   * Time that 95 of 100 measurements exceed, also where the known bias is absent; empty if no range
   * is known.
   */
  public OptionalDouble shortestUs() {
    return spread.isEmpty()
        ? spread
        : OptionalDouble.of(
            hashes.map(HashRange::low).orElse(1.0) * estimate.shortestUs(spread.getAsDouble()));
  }

  /**
   * Time that 5 of 100 measurements exceed, also on a slow host and on more GPUs than were
   * measured; empty if no range is known.
   */
  public OptionalDouble longestUs() {
    return spread.isEmpty() ? spread : OptionalDouble.of(longestUs(spread.getAsDouble()));
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

  /**
   * Time that a call may take on a slow host or more GPUs, if predictions are off by a part at
   * most.
   */
  public double longestUs(double part) {
    return hashes.map(HashRange::high).orElse(1.0)
        * estimate.longestUs(part, nRanks > nRanksMeasured && source == Source.CALIBRATION);
  }

  /** Size by time in GB/s. */
  public double algbwGBps() {
    return Operation.algbwGBps(call.sizeBytes(), timeUs());
  }

  /** nccl-tests' busbw in GB/s. */
  public double busbwGBps() {
    return call.collective().busbwGBps(call.sizeBytes(), timeUs(), nRanks);
  }
}
