package dev.topo.simulator.evaluate;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.simulator.evaluate.ChannelRoutes.BusyLink;
import dev.topo.simulator.evaluate.NetworkPredictor.NetworkPart;
import dev.topo.simulator.timing.TimeEstimate;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import java.util.Optional;
import java.util.OptionalDouble;

/** The predicted time of a call, and what NCCL runs for it. */
public sealed interface Prediction {
  /** The model from which an estimate comes. */
  enum Source {
    /** The timing model, with measured constants. */
    CALIBRATION("calibration"),
    /**
     * The timing model with constants of NVLS that were derived from published busbw
     * (docs/accuracy.md), not fitted to times.
     */
    PUBLISHED("published"),
    /**
     * The model of the network between nodes, with constants from published runs
     * (docs/accuracy.md), combined with the timing model inside each node.
     */
    NETWORK("network"),
    /**
     * The model of the network for algorithms without known runs between nodes: PAT, and AllReduce
     * by a network that reduces (SHARP). No range is known.
     */
    UNMEASURED("network-unmeasured"),
    /** One of the models, corrected by times that the user measured on this machine. */
    OWN_TIMES("own-times"),
    /**
     * NCCL's own tuning model, with the launch cost of the calibration: for algorithms that neither
     * model covers.
     */
    NCCL_MODEL("nccl-model");

    private final String label;

    Source(String label) {
      this.label = label;
    }

    /** Name in JSON. */
    public String label() {
      return label;
    }

    /**
     * True if it predicts times, which can be compared with those of another such source. NCCL's
     * own model only ranks algorithms.
     */
    public boolean predictsTimes() {
      return this != NCCL_MODEL;
    }

    /**
     * True if its times are good enough to judge a measurement or NCCL's choice. Times between
     * nodes derive from other clusters; those of small calls may be off by a factor of several.
     */
    public boolean judges() {
      return this == CALIBRATION || this == PUBLISHED || this == OWN_TIMES;
    }
  }

  /** The call. */
  Call call();

  /** The operation. */
  default Operation operation() {
    return call().operation();
  }

  /** Size as nccl-tests counts it. */
  default long sizeBytes() {
    return call().sizeBytes();
  }

  /**
   * Name of the algorithm and protocol or of the kernel: {@code Ring/LL}, {@code AllGather_ST}; for
   * sends and receives the protocol.
   */
  String launchName();

  /** The algorithm; empty for sends and receives. */
  Optional<Algorithm> tunedAlgorithm();

  /** The protocol; for sends and receives LL if all data is sent by LL. */
  Protocol protocol();

  /** The kernel that NCCL runs instead where buffers are in symmetric windows; empty for others. */
  Optional<SymmetricKernel> kernel();

  /** Channels that NCCL's tuner allows it. */
  int mostChannels();

  /** Channels that it is launched on; for sends and receives those of the slowest rank. */
  int channels();

  /** The estimated time. */
  TimeEstimate estimate();

  /** Source of the estimate. */
  Source source();

  /** Relative error that 90 % of predictions of this kind do not exceed; empty if not known. */
  OptionalDouble spread();

  /**
   * Range of the time over the hashing of flows onto links between switches; empty if flows are not
   * hashed.
   */
  Optional<HashRange> hashes();

  /** True if it has more ranks than were measured. */
  boolean hasMoreRanks();

  /** True if the constants are of another generation of GPUs, so that the range is doubled. */
  boolean isBorrowed();

  /** nccl-tests' busbw in GB/s; for sends and receives that of the busiest rank. */
  double busbwGBps();

  /**
   * This prediction with a time that was measured on the same machine.
   *
   * @param us the time in microseconds
   * @param part relative error that 90 of 100 such times do not exceed
   */
  default Prediction measured(double us, double part) {
    return corrected(estimate().times(us / timeUs()), OptionalDouble.of(part), Source.OWN_TIMES);
  }

  /** This prediction with a time and an error by measured times of the machine. */
  Prediction corrected(TimeEstimate measured, OptionalDouble part, Source by);

  /** True if the estimate uses measured constants. */
  default boolean isCalibrated() {
    return source() == Source.CALIBRATION || source() == Source.OWN_TIMES;
  }

  /** Time from call to call in microseconds. */
  default double timeUs() {
    return estimate().timeUs();
  }

  /**
   * Time that 95 of 100 measurements exceed, also where the known bias is absent; empty if no range
   * is known.
   */
  default OptionalDouble shortestUs() {
    return spread().isEmpty()
        ? spread()
        : OptionalDouble.of(
            hashes().map(HashRange::low).orElse(1.0)
                * estimate().shortestUs(spread().getAsDouble()));
  }

  /**
   * Time that 5 of 100 measurements exceed, also on a slow host and on more GPUs than were
   * measured; empty if no range is known.
   */
  default OptionalDouble longestUs() {
    return spread().isEmpty() ? spread() : OptionalDouble.of(longestUs(spread().getAsDouble()));
  }

  /** Longest time on a slow host or with more GPUs, for a given relative error of predictions. */
  default double longestUs(double part) {
    return hashes().map(HashRange::high).orElse(1.0) * estimate().longestUs(part, hasMoreRanks());
  }

  /** The range of the time in words. */
  default String range() {
    return spread().isEmpty()
        ? "not known"
        : QuantityFormat.times(shortestUs().getAsDouble(), longestUs().getAsDouble());
  }

  /** Size of whole elements divided by time, in GB/s. */
  double algbwGBps();

  /**
   * The predicted time of a collective by one algorithm and protocol.
   *
   * @param call the call
   * @param nRanks number of ranks
   * @param algorithm the algorithm; with a symmetric kernel the one that it replaces
   * @param protocol the protocol; with a symmetric kernel the one that it replaces
   * @param kernel kernel that NCCL runs instead if buffers are in symmetric windows
   * @param channels number of channels on which it is launched
   * @param mostChannels number of channels that NCCL's tuner allows
   * @param estimate the estimated time
   * @param source source of the estimate
   * @param spread relative error that 90 % of predictions of this kind do not exceed; empty if not
   *     known
   * @param hashes range of the time over the hashing of flows onto links between switches; empty if
   *     flows are not hashed
   * @param nRanksMeasured the largest number of ranks of the times that constants were fitted to
   * @param isBorrowed whether constants are those of another generation of GPUs
   */
  record CollectivePrediction(
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
      return kernel.map(SymmetricKernel::label).orElseGet(() -> pair().label());
    }

    @Override
    public boolean hasMoreRanks() {
      return nRanks > nRanksMeasured && source == Source.CALIBRATION;
    }

    @Override
    public double algbwGBps() {
      return Operation.algbwGBps(call.wholeBytes(nRanks), timeUs());
    }

    @Override
    public double busbwGBps() {
      return call.collective().busbwGBps(call.wholeBytes(nRanks), timeUs(), nRanks);
    }

    @Override
    public CollectivePrediction corrected(TimeEstimate measured, OptionalDouble part, Source by) {
      return new CollectivePrediction(
          call,
          nRanks,
          algorithm,
          protocol,
          kernel,
          channels,
          mostChannels,
          measured,
          by,
          part,
          hashes,
          nRanks,
          false);
    }

    /** This prediction of the whole elements of a requested call, attributed to that call. */
    CollectivePrediction of(CollectiveCall asked) {
      return new CollectivePrediction(
          asked,
          nRanks,
          algorithm,
          protocol,
          kernel,
          channels,
          mostChannels,
          estimate,
          source,
          spread,
          hashes,
          nRanksMeasured,
          isBorrowed);
    }
  }

  /**
   * The predicted time of an operation made of sends and receives.
   *
   * @param call the call
   * @param wholeBytes size of its whole elements
   * @param busBytes bytes that the busiest rank sends to others or receives from them
   * @param protocol LL where all data is sent by LL
   * @param channels channels of the slowest rank
   * @param estimate the estimated time
   * @param spread relative error that 90 % of predictions of this kind do not exceed; empty if not
   *     known
   * @param source source of the estimate
   * @param hashes range of the time over the hashing of flows onto links between switches; empty if
   *     flows are not hashed
   * @param link the busiest link; empty between nodes
   * @param network the part of the network that limits the call; empty inside a node, and where
   *     something else limits it
   * @param hasMoreRanks whether it has more ranks than were measured
   * @param isBorrowed whether constants are those of another generation of GPUs
   */
  record PeerPrediction(
      PeerCall call,
      long wholeBytes,
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
    @Override
    public PeerPrediction corrected(TimeEstimate measured, OptionalDouble part, Source by) {
      return new PeerPrediction(
          call,
          wholeBytes,
          busBytes,
          protocol,
          channels,
          measured,
          part,
          by,
          hashes,
          link,
          network,
          false,
          false);
    }

    @Override
    public PeerOperation operation() {
      return call.operation();
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

    /** The link that limits the call; empty if something else does. */
    public Optional<BusyLink> fullLink() {
      return link.filter(full -> estimate.bottleneck() == Bottleneck.LINKS);
    }

    @Override
    public double algbwGBps() {
      return Operation.algbwGBps(wholeBytes, timeUs());
    }

    @Override
    public double busbwGBps() {
      return Operation.algbwGBps(busBytes, timeUs());
    }
  }
}
