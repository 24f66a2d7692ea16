package dev.topo.simulator.evaluate;

import dev.topo.model.io.SpecField;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.search.transfer.PeerPlanner;
import dev.topo.search.transfer.TransferTable;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import dev.topo.simulator.calibration.NodeCosts;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.network.ConcurrentGroups;
import dev.topo.simulator.network.NetworkCall.NetworkTime;
import dev.topo.simulator.network.NetworkCall.NetworkTime.Limit;
import dev.topo.simulator.network.NetworkTransfers;
import dev.topo.simulator.network.UplinkLoad;
import dev.topo.simulator.timing.PeerShape;
import dev.topo.simulator.timing.PeerTime;
import dev.topo.simulator.timing.TimeEstimate;
import dev.topo.simulator.timing.TimingModel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * Predicts the times of operations made of sends and receives inside a node. Ratios that were
 * measured on one kind of machine are multiplied by the constants of the calibration; no range is
 * known for calibrations of other machines. Caches results; not thread-safe.
 */
public final class PeerPredictor {
  private final CallPlanner planner;
  private final PeerTime times;
  private final TimingModel model;
  private final Optional<CallPredictor> collectives;
  private final boolean borrowed;
  private final boolean isExact;
  private Optional<PeerShapeFinder> shapes = Optional.empty();
  private Optional<TransferTable> transfers = Optional.empty();

  /** A predictor of the calls in a node, with the constants of a model. */
  public PeerPredictor(CallPlanner planner, TimingModel model, NodeCosts costs) {
    this(planner, model, costs, Optional.empty());
  }

  private PeerPredictor(
      CallPlanner planner,
      TimingModel model,
      NodeCosts costs,
      Optional<CallPredictor> collectives) {
    this(planner, model, new PeerTime(model, costs), collectives, false);
  }

  private PeerPredictor(
      CallPlanner planner,
      TimingModel model,
      PeerTime times,
      Optional<CallPredictor> collectives,
      boolean isExact) {
    this.isExact = isExact;
    this.collectives = collectives;
    this.planner = planner;
    this.model = model;
    this.times = times;
    this.borrowed = planner.isBorrowed(model.calibration());
  }

  /**
   * This predictor for isolated calls, as in a job. If ranks only send or only receive, the time
   * starts when a sending rank arrives. Sizes are those of buffers.
   */
  public PeerPredictor ofSingleCalls() {
    return new PeerPredictor(
        planner, model, new PeerTime(model, NodeCosts.shipped(), false), collectives, true);
  }

  /**
   * A predictor with the constants of a predictor of collectives; empty where that has neither
   * measured constants nor a model of the network.
   */
  public static Optional<PeerPredictor> of(CallPredictor collectives) {
    return collectives.calibration().isEmpty() && collectives.network().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PeerPredictor(
                collectives.planner(),
                collectives.model(),
                NodeCosts.shipped(),
                Optional.of(collectives)));
  }

  /** Why there are no predictions for the release, in words; empty if there are. */
  public Optional<String> absence() {
    return PeerPlanner.absence(planner.communicator().profile());
  }

  /**
   * Time of a call out of place; empty if nothing is sent, or no model covers it.
   *
   * @throws SettingException if there is an {@link #absence}, or NCCL cannot divide the call
   */
  public Optional<PeerPrediction> predict(PeerCall call) {
    if (call.operation() == PeerOperation.ALLTOALLV) {
      return predictSkewed(call.sizeBytes(), 1);
    }
    requireDivisible(call);
    return predict(call, false);
  }

  private void requireDivisible(PeerCall call) {
    if (call.operation().isOneCall()) {
      transfers =
          transfers.or(() -> Optional.of(new TransferTable(planner.communicator().connection())));
      transfers.get().requireDivisible(call);
    }
  }

  private long wholeBytes(PeerCall call) {
    return isExact ? call.sizeBytes() : call.wholeBytes(planner.communicator().nRanks());
  }

  /**
   * Time of a measured call with equal parts; empty if nothing is sent, or no model covers it.
   *
   * @throws SettingException if there is an {@link #absence} inside a node
   */
  public Optional<PeerPrediction> predict(
      PeerOperation operation, long sizeBytes, boolean inPlace) {
    return predict(new PeerCall(operation, sizeBytes), inPlace);
  }

  private Optional<PeerPrediction> predict(PeerCall call, boolean inPlace) {
    Optional<PeerPrediction> found = equalParts(call, inPlace);
    return collectives.isEmpty() ? found : found.map(collectives.get()::corrected);
  }

  private Optional<PeerPrediction> equalParts(PeerCall call, boolean inPlace) {
    int nRanks = planner.communicator().nRanks();
    PeerOperation operation = call.operation();
    long bytes = wholeBytes(call);
    if (!operation.isOneCall() || nRanks < 2 || bytes == 0) {
      return Optional.empty();
    }
    if (planner.communicator().nNodes() == 1) {
      return predict(call, bytes, PeerTraffic.of(operation, bytes, nRanks, inPlace));
    }
    long busBytes = operation.dividesSize() ? bytes / nRanks * (nRanks - 1) : bytes;
    return between(call, bytes, busBytes, network -> network.call(operation, bytes));
  }

  private Optional<PeerPrediction> between(
      PeerCall call,
      long bytes,
      long busBytes,
      Function<NetworkPredictor, Optional<NetworkTransfers>> sending) {
    return collectives
        .flatMap(CallPredictor::network)
        .flatMap(
            network ->
                sending
                    .apply(network)
                    .filter(sent -> sent.uplink().flatMap(UplinkLoad::obstacle).isEmpty())
                    .map(sent -> between(network, call, bytes, busBytes, sent)));
  }

  private PeerPrediction between(
      NetworkPredictor network, PeerCall call, long bytes, long busBytes, NetworkTransfers sent) {
    CallPredictor nodes = collectives.orElseThrow();
    PeerOperation operation = call.operation();
    int channels = planner.communicator().connection().p2pChannels(0).nChannels();
    NetworkTime time = network.time(sent);
    TimeEstimate estimate = model.estimate(planner.gpusPerProcess(), channels, time.estimate());
    return new PeerPrediction(
        call,
        bytes,
        busBytes,
        Protocol.SIMPLE,
        channels,
        estimate,
        // Neither uneven calls nor calls limited by an uplink were measured.
        operation == PeerOperation.ALLTOALLV || time.limit() == Limit.UPLINK
            ? OptionalDouble.empty()
            : nodes.spread(Source.NETWORK, operation, bytes),
        Source.NETWORK,
        network.hashes(sent),
        Optional.empty(),
        network.fullLink(sent),
        false,
        false);
  }

  /**
   * Time of an alltoallv in which rank 0 receives more than the others; empty where no model covers
   * it.
   *
   * @param sizeBytes what every rank sends, its own part included
   * @param factor how many times as much rank 0 receives as each other rank
   */
  public Optional<PeerPrediction> predictSkewed(long sizeBytes, double factor) {
    PeerCall call = new PeerCall(PeerOperation.ALLTOALLV, sizeBytes);
    requireDivisible(call);
    int nRanks = planner.communicator().nRanks();
    long bytes = wholeBytes(call);
    if (bytes == 0) {
      return Optional.empty();
    }
    if (planner.communicator().nNodes() == 1) {
      return predict(call, bytes, PeerTraffic.skewed(bytes, nRanks, factor));
    }
    double part = bytes / (factor + nRanks - 1);
    return between(
        call,
        bytes,
        (nRanks - 1) * (long) (factor * part),
        network -> Optional.of(network.skewed(part, factor)));
  }

  /**
   * Time of a call with any traffic; empty if nothing is sent, or no model covers it. All
   * concurrent groups have this traffic.
   *
   * @throws SettingException if these have other numbers of ranks
   */
  public Optional<PeerPrediction> predict(
      PeerOperation operation, long sizeBytes, PeerTraffic traffic) {
    return predict(new PeerCall(operation, sizeBytes), sizeBytes, traffic);
  }

  private Optional<PeerPrediction> predict(PeerCall call, long bytes, PeerTraffic traffic) {
    PeerOperation operation = call.operation();
    boolean isBetweenNodes = planner.communicator().nNodes() > 1;
    // The traffic of other groups inside a node is not known.
    boolean isShared = planner.concurrent().isPresent() && !isBetweenNodes;
    if (planner.routes().isEmpty() || isShared || traffic.busiestBytes() == 0) {
      return Optional.empty();
    }
    planner.concurrent().ifPresent(groups -> checkRanks(groups, traffic.nRanks()));
    if (isBetweenNodes) {
      return between(
          call,
          bytes,
          traffic.busiestBytes(),
          network -> Optional.of(network.matrix(traffic::bytes)));
    }
    PeerShapeFinder finder = shapes.orElseGet(() -> new PeerShapeFinder(planner));
    shapes = Optional.of(finder);
    return finder
        .shape(traffic)
        .map(
            shape ->
                new PeerPrediction(
                    call,
                    bytes,
                    traffic.busiestBytes(),
                    shape.protocol(),
                    shape.channels(),
                    times.estimate(shape),
                    spread(operation, bytes),
                    Source.CALIBRATION,
                    Optional.empty(),
                    planner.routes().flatMap(routes -> routes.busiestOf(traffic::bytes)),
                    Optional.empty(),
                    hasMoreRanks(operation, traffic.nRanks()),
                    borrowed));
  }

  /**
   * Facts that determine the time of a call with equal parts on one node; empty if nothing is sent.
   */
  public Optional<PeerShape> shape(PeerOperation operation, long sizeBytes) {
    int nRanks = planner.communicator().nRanks();
    return new PeerShapeFinder(planner).shape(PeerTraffic.of(operation, sizeBytes, nRanks, false));
  }

  private static void checkRanks(ConcurrentGroups groups, int ranks) {
    List<Integer> counts =
        groups.groups().stream().map(group -> group.connection().nRanks()).distinct().toList();
    if (!counts.equals(List.of(ranks))) {
      throw new SpecException(
          SpecField.TRAFFIC,
          " is of %d ranks, and groups at once have %s: expected groups of equally many ranks",
          ranks,
          counts);
    }
  }

  private boolean hasMoreRanks(PeerOperation operation, int nRanks) {
    Calibration calibration = model.calibration();
    boolean isPublished =
        KnownSpread.isKnownOf(calibration.name() + KnownSpread.PEER, operation)
            && nRanks <= CallPredictor.PUBLISHED_GPUS;
    return nRanks > NodeCosts.MEASURED_GPUS && !isPublished;
  }

  /** True if sends and receives were measured on the kind of machine of the calibration. */
  public boolean isMeasured() {
    return !KnownSpread.of(model.calibration().name() + KnownSpread.PEER, Launch.EACH).isEmpty();
  }

  private OptionalDouble spread(PeerOperation operation, long bytes) {
    if (planner.context().groups() > 1 || planner.concurrent().isPresent()) {
      return OptionalDouble.empty();
    }
    OptionalDouble ofPair =
        spread(operation, bytes, Launch.of(planner.gpusPerProcess(), NodeCosts.MEASURED_GPUS));
    return planner.communicator().nRanks() <= NodeCosts.MEASURED_GPUS || ofPair.isEmpty()
        ? ofPair
        : OptionalDouble.of(
            Math.max(ofPair.getAsDouble(), spread(operation, bytes, Launch.EACH).orElse(0)));
  }

  /** The spread for a launch mode of pairs of GPUs; {@link Launch#EACH} is for more GPUs. */
  private OptionalDouble spread(PeerOperation operation, long bytes, Launch launch) {
    return KnownSpread.of(model.calibration().name() + KnownSpread.PEER, launch, operation, bytes)
        .stream()
        .mapToDouble(known -> (borrowed ? CallPredictor.BORROWED : 1) * known.part())
        .findFirst();
  }
}
