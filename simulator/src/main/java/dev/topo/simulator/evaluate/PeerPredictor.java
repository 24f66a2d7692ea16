package dev.topo.simulator.evaluate;

import dev.topo.model.io.SpecField;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.search.transfer.PeerPlanner;
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
import dev.topo.simulator.timing.PeerShape;
import dev.topo.simulator.timing.PeerTime;
import dev.topo.simulator.timing.TimeEstimate;
import dev.topo.simulator.timing.TimingModel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Predicts the times of operations made of sends and receives in a node. Ratios that were measured
 * on one kind of machine multiply the constants of the calibration: where that is of another
 * machine, no range is known. Keeps what it has found; not for use by several threads.
 */
public final class PeerPredictor {
  private final CallPlanner planner;
  private final PeerTime times;
  private final TimingModel model;
  private final Optional<Predictor> collectives;
  private final boolean borrowed;
  private Optional<PeerShapeFinder> shapes = Optional.empty();

  /** A predictor of the calls in a node, with the constants of a model. */
  public PeerPredictor(CallPlanner planner, TimingModel model, NodeCosts costs) {
    this(planner, model, costs, Optional.empty());
  }

  private PeerPredictor(
      CallPlanner planner, TimingModel model, NodeCosts costs, Optional<Predictor> collectives) {
    this(planner, model, new PeerTime(model, costs), collectives);
  }

  private PeerPredictor(
      CallPlanner planner, TimingModel model, PeerTime times, Optional<Predictor> collectives) {
    this.collectives = collectives;
    this.planner = planner;
    this.model = model;
    this.times = times;
    this.borrowed = planner.isBorrowed(model.calibration());
  }

  /**
   * This predictor for calls that do not follow each other, as those of a job: where ranks only
   * send or only receive, the time is that from the arrival of a rank that sends.
   */
  public PeerPredictor ofSingleCalls() {
    return new PeerPredictor(
        planner, model, new PeerTime(model, NodeCosts.shipped(), false), collectives);
  }

  /**
   * A predictor beside that of collectives; empty where that has neither measured constants nor a
   * model of the network.
   */
  public static Optional<PeerPredictor> of(Predictor collectives) {
    return collectives.calibration().isEmpty() && collectives.network().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PeerPredictor(
                collectives.planner(),
                collectives.model(),
                NodeCosts.shipped(),
                Optional.of(collectives)));
  }

  /** Why the release has no predictions of this job, for people; empty where it has. */
  public Optional<String> absence() {
    return planner.communicator().facts().nNodes() > 1
        ? Optional.empty()
        : PeerPlanner.absence(planner.communicator().profile());
  }

  /**
   * Time of a call out of place; empty if nothing is sent, or no model covers it.
   *
   * @throws SettingException if there is an {@link #absence}
   */
  public Optional<PeerPrediction> predict(PeerCall call) {
    return call.operation() == PeerOperation.ALLTOALLV
        ? predictSkewed(call.sizeBytes(), 1)
        : predict(call.operation(), call.sizeBytes(), false);
  }

  /**
   * Time of a call with equal parts; empty if nothing is sent, or no model covers it.
   *
   * @throws SettingException if there is an {@link #absence}
   */
  public Optional<PeerPrediction> predict(
      PeerOperation operation, long sizeBytes, boolean inPlace) {
    int nRanks = planner.communicator().facts().nRanks();
    if (!operation.isOneCall() || nRanks < 2) {
      return Optional.empty();
    }
    if (planner.communicator().facts().nNodes() > 1) {
      return collectives.flatMap(predictor -> between(predictor, operation, sizeBytes, nRanks));
    }
    PeerTraffic traffic = PeerTraffic.of(operation, sizeBytes, nRanks, inPlace);
    return predict(operation, sizeBytes, traffic);
  }

  private Optional<PeerPrediction> between(
      Predictor nodes, PeerOperation operation, long sizeBytes, int nRanks) {
    boolean isOnePeer = operation == PeerOperation.SENDRECV;
    long busBytes = isOnePeer ? sizeBytes : sizeBytes / nRanks * (nRanks - 1);
    return nodes
        .network()
        .flatMap(
            network ->
                network
                    .call(operation, sizeBytes)
                    .map(call -> between(nodes, network, operation, sizeBytes, busBytes, call)));
  }

  private PeerPrediction between(
      Predictor nodes,
      NetworkPredictor network,
      PeerOperation operation,
      long sizeBytes,
      long busBytes,
      NetworkTransfers call) {
    int channels = planner.communicator().connection().p2pChannels(0).nChannels();
    NetworkTime time = network.time(call);
    TimeEstimate estimate = model.estimate(planner.gpusPerProcess(), channels, time.estimate());
    return new PeerPrediction(
        new PeerCall(operation, sizeBytes),
        busBytes,
        Protocol.SIMPLE,
        channels,
        // What the links need for uneven parts is in the network's time only.
        operation == PeerOperation.ALLTOALLV
            ? estimate
            : nodes.onLinks(operation, sizeBytes, estimate),
        // No measurement of uneven calls, or of one that waits for an uplink, is known.
        operation == PeerOperation.ALLTOALLV || time.limit() == Limit.UPLINK
            ? OptionalDouble.empty()
            : nodes.spread(Source.NETWORK, operation, sizeBytes),
        Source.NETWORK,
        network.hashes(call),
        Optional.empty(),
        network.fullLink(call),
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
    int nRanks = planner.communicator().facts().nRanks();
    if (planner.communicator().facts().nNodes() == 1) {
      return predict(
          PeerOperation.ALLTOALLV, sizeBytes, PeerTraffic.skewed(sizeBytes, nRanks, factor));
    }
    double part = sizeBytes / (factor + nRanks - 1);
    return collectives
        .flatMap(Predictor::network)
        .map(
            network ->
                between(
                    collectives.orElseThrow(),
                    network,
                    PeerOperation.ALLTOALLV,
                    sizeBytes,
                    (nRanks - 1) * (long) (factor * part),
                    network.skewed(part, factor)));
  }

  /**
   * Time of a call with any traffic; empty if nothing is sent, or no model covers it. Groups at the
   * same time all have this traffic.
   *
   * @throws SettingException if these have other numbers of ranks
   */
  public Optional<PeerPrediction> predict(
      PeerOperation operation, long sizeBytes, PeerTraffic traffic) {
    boolean isBetweenNodes = planner.communicator().facts().nNodes() > 1;
    // What other groups send beside it inside a node is not known.
    boolean isShared = planner.concurrent().isPresent() && !isBetweenNodes;
    if (planner.routes().isEmpty() || isShared || traffic.busiestBytes() == 0) {
      return Optional.empty();
    }
    planner.concurrent().ifPresent(groups -> checkRanks(groups, traffic.nRanks()));
    if (isBetweenNodes) {
      return collectives
          .flatMap(Predictor::network)
          .map(
              network ->
                  between(
                      collectives.orElseThrow(),
                      network,
                      operation,
                      sizeBytes,
                      traffic.busiestBytes(),
                      network.matrix(traffic::bytes)));
    }
    PeerShapeFinder finder = shapes.orElseGet(() -> new PeerShapeFinder(planner));
    shapes = Optional.of(finder);
    return finder
        .shape(traffic)
        .map(
            shape ->
                new PeerPrediction(
                    new PeerCall(operation, sizeBytes),
                    traffic.busiestBytes(),
                    shape.protocol(),
                    shape.channels(),
                    times.estimate(shape),
                    spread(operation, sizeBytes),
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
    int nRanks = planner.communicator().facts().nRanks();
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
            && nRanks <= Predictor.PUBLISHED_GPUS;
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
    return planner.communicator().facts().nRanks() <= NodeCosts.MEASURED_GPUS || ofPair.isEmpty()
        ? ofPair
        : OptionalDouble.of(
            Math.max(ofPair.getAsDouble(), spread(operation, bytes, Launch.EACH).orElse(0)));
  }

  /** Of pairs of GPUs by how they are launched; {@link Launch#EACH} is of more. */
  private OptionalDouble spread(PeerOperation operation, long bytes, Launch launch) {
    return KnownSpread.of(model.calibration().name() + KnownSpread.PEER, launch, operation, bytes)
        .map(known -> OptionalDouble.of((borrowed ? Predictor.BORROWED : 1) * known.part()))
        .orElse(OptionalDouble.empty());
  }
}
