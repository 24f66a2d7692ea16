package dev.topo.simulator.evaluate;

import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.Protocol;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.model.operation.SymmetricKernel.Multicast;
import dev.topo.search.bound.JobBounds;
import dev.topo.search.bound.OperationBound.LinkScope;
import dev.topo.search.connect.Connection;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.kernel.CallPaths.CallPath;
import dev.topo.search.kernel.Execution;
import dev.topo.search.kernel.RegisteredPart;
import dev.topo.search.path.PathFinder.PeerLimit;
import dev.topo.search.tuning.ChannelShare;
import dev.topo.search.tuning.CommFacts;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner;
import dev.topo.search.tuning.Tuner.Decision;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import dev.topo.simulator.calibration.NodeCosts;
import dev.topo.simulator.calibration.OwnTimes;
import dev.topo.simulator.calibration.TimedCall;
import dev.topo.simulator.evaluate.ChannelRoutes.BusyLink;
import dev.topo.simulator.evaluate.NetworkPredictor.NetworkPart;
import dev.topo.simulator.evaluate.PredictedCall.ChoiceComparison;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.network.Fabric;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkCall;
import dev.topo.simulator.network.NetworkCall.NetworkTime;
import dev.topo.simulator.network.NetworkCall.NetworkTime.Limit;
import dev.topo.simulator.network.UplinkLoad;
import dev.topo.simulator.timing.CallShape;
import dev.topo.simulator.timing.TimeEstimate;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import dev.topo.simulator.timing.TimingModel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Predicts the times of a communicator's calls, and the algorithm and protocol that would be best.
 * Predicts times of calls. A call that the timing model does not cover has the time of NCCL's own
 * model and says so.
 */
public final class CallPredictor {
  /**
   * Factor of a range if the channels of NVLS or the threads of a channel are not those of the
   * measurements.
   */
  private static final double UNUSUAL_LAUNCH = 2;

  /** Factor of a range for a generation of GPUs without times in the calibration. */
  static final double BORROWED = 2;

  /**
   * Smallest error of a time through host memory: the constants were fitted to four H200 declared
   * on two sockets (2026-11-20), but two H200 with NCCL_P2P_DISABLE=1 took 1.44 times the predicted
   * time (2026-11-26, another host of that kind; NCCL 2.28.9).
   */
  private static final double HOST_SPREAD = 0.45;

  /** GPUs of published times inside a node. */
  static final int PUBLISHED_GPUS = 8;

  private static final long CONTRADICTORY_BYTES = 1 << 20;

  /** The calibration whose launch times are used if none fits the machine. */
  private static final String LAUNCH_CALIBRATION = CalibrationFile.SHIPPED.get(0);

  private final CallPlanner planner;
  private final boolean ncclOnly;
  private final TimingModel model;
  private final NodeCosts costs;
  private final Tuner tuner;
  private final Optional<CallPaths> paths;
  private final CommFacts facts;
  private final boolean spansHosts;
  private final boolean borrowed;
  private final boolean mixed;
  private final boolean mayLackP2p;
  private final Optional<NetworkPredictor> network;
  private final Optional<OwnCorrection> own;
  private Optional<PeerPredictor> peers = Optional.empty();
  private Optional<JobBounds> bounds = Optional.empty();

  /** A predictor of the calls that a planner lays out, with the constants of a model. */
  public CallPredictor(CallPlanner planner, TimingModel model) {
    this(planner, model, NodeCosts.shipped());
  }

  /** This predictor with other costs of kernels for symmetric windows. */
  public CallPredictor(CallPlanner planner, TimingModel model, NodeCosts costs) {
    this(planner, model, costs, false, NetworkPredictor.of(planner, model), Optional.empty());
  }

  /**
   * A predictor with a calibration. Without one, NCCL's own model gives the times of kernels, and a
   * shipped calibration those of their launches, which depend on the host.
   */
  public static CallPredictor of(CallPlanner planner, Optional<Calibration> calibration) {
    return of(planner, calibration, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * This predictor with a calibration of the network between nodes, which does not require one of
   * the nodes. Without it, NCCL's own model gives the times between nodes.
   *
   * @param fabric the switches between the nodes; empty if they are assumed not to limit
   * @param own times of this machine that correct the predictions
   */
  public static CallPredictor of(
      CallPlanner planner,
      Optional<Calibration> calibration,
      Optional<NetworkCalibration> network,
      Optional<Fabric> fabric,
      Optional<OwnTimes> own) {
    Calibration constants =
        calibration.orElseGet(() -> CalibrationFile.shipped(LAUNCH_CALIBRATION).orElseThrow());
    TimingModel anyHost =
        CalibrationFile.isShipped(constants)
            ? new TimingModel(constants, NodeCosts.shipped(), planner.context().groups())
            : new TimingModel(constants);
    OptionalDouble launchUs = planner.context().launchUs();
    TimingModel model =
        launchUs.isPresent() ? anyHost.withLaunchUs(launchUs.getAsDouble()) : anyHost;
    return new CallPredictor(
        planner,
        model,
        NodeCosts.shipped(),
        calibration.isEmpty(),
        network.flatMap(
            networkCalibration -> NetworkPredictor.of(planner, model, networkCalibration, fabric)),
        own);
  }

  private CallPredictor(
      CallPlanner planner,
      TimingModel model,
      NodeCosts costs,
      boolean ncclOnly,
      Optional<NetworkPredictor> network,
      Optional<OwnTimes> own) {
    this.own = own.map(times -> new OwnCorrection(times, planner.communicator().connection()));
    this.costs = costs;
    this.planner = planner;
    this.ncclOnly = ncclOnly;
    this.network = network;
    this.model = model;
    this.tuner = planner.communicator().tuner();
    Communicator communicator = planner.communicator();
    this.paths =
        planner.context().buffers() == Buffers.PLAIN
            ? Optional.empty()
            : Optional.of(
                CallPaths.of(
                    communicator,
                    communicator.job().settings(),
                    planner.context().gpusPerProcess()));
    this.facts = planner.communicator().facts();
    this.mixed = communicator.job().isMixed();
    this.spansHosts = spansHosts(planner.communicator().connection());
    // The spreads of NVLink domains of several hosts cover both generations.
    this.mayLackP2p =
        communicator.job().machines().stream()
            .distinct()
            .anyMatch(
                machine ->
                    PeerLimit.isUnknown(machine.topology(), machine.settings(), facts.profile()));
    this.borrowed = !ncclOnly && !spansHosts && planner.isBorrowed(model.calibration());
  }

  /** True if no range is known as the machines are of several kinds. */
  boolean isMixed() {
    return mixed;
  }

  public Communicator communicator() {
    return planner.communicator();
  }

  /** The launch parameters of the calls. */
  public CallPlanner planner() {
    return planner;
  }

  /** The constants of the predictions; empty if NCCL's own model gives all times of kernels. */
  public Optional<Calibration> calibration() {
    return ncclOnly ? Optional.empty() : Optional.of(model.calibration());
  }

  /** The model of the network between nodes; empty on one node, and if none is used. */
  public Optional<NetworkPredictor> network() {
    return network;
  }

  /** NCCL's choices, with their times in its own model. */
  public Tuner tuner() {
    return tuner;
  }

  /**
   * Time of a call out of place by what NCCL runs for it; empty if NCCL refuses it, if nothing is
   * sent, or if no model covers it.
   *
   * @throws SettingException for sends and receives of a release of which they are not modelled
   */
  public Optional<Prediction> predict(Call call) {
    return call instanceof CollectiveCall collective
        ? predict(collective, false).map(Prediction.class::cast)
        : peers().flatMap(known -> known.predict((PeerCall) call)).map(Prediction.class::cast);
  }

  /** Predicts sends and receives; empty without both constants and a model of the network. */
  public Optional<PeerPredictor> peers() {
    if (peers.isEmpty()) {
      peers = PeerPredictor.of(this);
    }
    return peers;
  }

  /** Time of a call by NCCL's choice; empty if NCCL refuses it. */
  public Optional<CollectivePrediction> predict(CollectiveCall call, boolean inPlace) {
    return predict(call, Optional.empty(), inPlace);
  }

  /** Time of a call by an algorithm and protocol; empty if NCCL cannot use them. */
  public Optional<CollectivePrediction> predict(
      CollectiveCall call, Algorithm algorithm, Protocol protocol, boolean inPlace) {
    return predict(call, Optional.of(new Pair(algorithm, protocol)), inPlace);
  }

  /** Time of a call by a pair, or by NCCL's choice; empty if NCCL refuses it. */
  public Optional<CollectivePrediction> predict(
      CollectiveCall asked, Optional<Pair> forced, boolean inPlace) {
    if (asked.emptiness(facts.nRanks()).isPresent()) {
      return Optional.empty();
    }
    CollectiveCall call = asked.whole(facts.nRanks());
    Optional<CollectivePrediction> found =
        forced.isEmpty() && paths.isPresent()
            ? onBuffers(call, path(call, inPlace), inPlace)
            : planner.choice(call, forced).flatMap(choice -> prediction(call, choice, inPlace));
    return found
        .map(prediction -> prediction.of(asked))
        .map(
            prediction ->
                own.map(known -> known.of(prediction, isChosen(call, forced), leastUs(call)))
                    .orElse(prediction));
  }

  private boolean isChosen(CollectiveCall call, Optional<Pair> forced) {
    return forced.isEmpty()
        || planner
            .choice(call, Optional.empty())
            .filter(choice -> forced.get().equals(new Pair(choice.algorithm(), choice.protocol())))
            .isPresent();
  }

  private double leastUs(Call call) {
    return leastUs(call.operation(), call.sizeBytes()).orElse(0);
  }

  /** Sends and receives with equal parts, corrected by measured times of this machine. */
  PeerPrediction corrected(PeerPrediction prediction) {
    return own.map(known -> known.of(prediction, leastUs(prediction.call()))).orElse(prediction);
  }

  /** The call of a prediction without own times, to be compared with a measured time. */
  public TimedCall timed(Prediction prediction) {
    return OwnCorrection.timed(prediction, planner.communicator().connection());
  }

  private CallPath path(CollectiveCall call, boolean inPlace) {
    return paths.orElseThrow().of(call, planner.context().buffers(), inPlace);
  }

  /** Why a call by NCCL's choice has no prediction; empty if it has one. */
  public Optional<String> refusal(CollectiveCall call) {
    Optional<Decision.Refusal> refused = refused(call);
    return refused.isPresent() || paths.isEmpty()
        ? refused.map(Decision.Refusal::reason).or(() -> lastResort(call))
        : switch (path(call, false).kind()) {
          case COPY_ENGINE ->
              Optional.of("the GPUs' copy engines run it, whose times are not known");
          case NOT_KNOWN -> path(call, false).unknown();
          case EMPTY, REFUSED, ALGORITHM, SYMMETRIC_KERNEL -> Optional.empty();
        };
  }

  /** What NCCL runs without a time in its model, if it does. */
  private Optional<String> lastResort(CollectiveCall call) {
    return planner
        .choice(call, Optional.empty())
        .filter(Choice::isLastResort)
        .map(
            choice ->
                "NCCL runs it by %s as a last resort, without a time in its model"
                    .formatted(choice.algorithm().label()));
  }

  /** Why NCCL refuses or discards a call; empty if it does not. */
  public Optional<Decision.Refusal> refused(Call call) {
    Optional<Decision.Refusal> byNccl =
        !(call instanceof CollectiveCall collective)
            ? call.emptiness(facts.nRanks()).map(Decision.Refusal::discarded)
            : paths.isPresent()
                ? path(collective, false).refusal()
                : tuner.decide(collective) instanceof Decision.Refusal refusal
                    ? Optional.of(refusal)
                    : Optional.empty();
    return byNccl.or(() -> noPath(call).map(Decision.Refusal::new));
  }

  /** Why the switches between the nodes have no path for a call; empty if they have one. */
  private Optional<String> noPath(Call call) {
    return network
        .flatMap(
            known ->
                call instanceof CollectiveCall collective
                    ? planner
                        .choice(collective, Optional.empty())
                        .flatMap(choice -> known.uplink(collective, choice))
                    : known.uplink((PeerCall) call))
        .flatMap(UplinkLoad::obstacle);
  }

  /** Why a call has no time, in a sentence without full stop; empty if it has one. */
  public Optional<String> obstacle(Call call) {
    if (facts.nRanks() < 2) {
      return Optional.of("one rank sends nothing");
    }
    Optional<String> refused = refused(call).map(Decision.Refusal::sentence);
    if (refused.isPresent()) {
      return refused;
    }
    if (call instanceof CollectiveCall collective) {
      return refusal(collective).map(reason -> "no time: " + reason);
    }
    return predict(call).isPresent()
        ? Optional.empty()
        : Optional.of(
            peers().isEmpty()
                ? "no time: no calibration fits this machine, and without one sends and receives are not predicted"
                : facts.nNodes() > 1 && network.isEmpty()
                    ? "no time: only the network joins these GPUs, and there is no port"
                    : "no time: nothing is sent between ranks by "
                        + call.operation().ncclTestsName());
  }

  /** True if NCCL refuses a call, which fails, unlike one whose time is not known. */
  public boolean isRefused(Call call) {
    return refused(call).filter(refusal -> !refusal.isDiscarded()).isPresent();
  }

  /** A call on registered buffers or symmetric windows; empty if NCCL runs it by neither. */
  private Optional<CollectivePrediction> onBuffers(
      CollectiveCall call, CallPath path, boolean inPlace) {
    Optional<Choice> plain = path.plain().choice();
    if (path.kernel().isPresent() && plain.isPresent()) {
      return Optional.of(byKernel(call, plain.get(), path.kernel().get(), inPlace));
    }
    boolean direct = path.parts().contains(RegisteredPart.PEERS);
    // NVLS on registered buffers was not measured.
    boolean measured = !path.parts().contains(RegisteredPart.NVLS);
    return path.choice()
        .flatMap(
            choice ->
                prediction(
                    call, choice, planner.shape(call, choice, inPlace, direct), inPlace, measured));
  }

  private CollectivePrediction byKernel(
      CollectiveCall call, Choice plain, Execution.Kernel kernel, boolean inPlace) {
    Optional<ChannelRoutes> routes = planner.routes();
    boolean covered = !ncclOnly && WindowTime.isCovered(kernel.kernel()) && routes.isPresent();
    Source source = covered ? Source.CALIBRATION : Source.NCCL_MODEL;
    TimeEstimate time =
        covered
            ? new WindowTime(model, costs)
                .estimate(
                    kernel.kernel(),
                    call.sizeBytes(),
                    facts.nRanks(),
                    kernel.channels(),
                    inPlace,
                    planner.gpusPerProcess(),
                    planner.context().groups()
                        * routes.get().traffic((from, to) -> 1).busiestPsPerByte())
            : model.estimate(
                planner.gpusPerProcess(),
                kernel.channels(),
                0,
                Math.max(kernel.timeUs(), multicastUs(call, kernel.kernel(), inPlace)));
    return new CollectivePrediction(
        call,
        facts.nRanks(),
        plain.algorithm(),
        plain.protocol(),
        Optional.of(kernel.kernel()),
        kernel.channels(),
        kernel.channels(),
        time,
        source,
        covered
            ? spread(source, call.collective(), call.sizeBytes(), KnownSpread.WINDOW)
            : OptionalDouble.empty(),
        Optional.empty(),
        NodeCosts.MEASURED_GPUS,
        isBorrowed(source));
  }

  /**
   * Least time of AllReduce with multicast: the links carry as much as by NVLS, and no more at a
   * time. NCCL's model of its kernels does not know that: 800 GB/s for eight H200, which reach 482.
   */
  private double multicastUs(CollectiveCall call, SymmetricKernel kernel, boolean inPlace) {
    return kernel.multicast() == Multicast.NONE || call.collective() != Collective.ALL_REDUCE
        ? 0
        : planner
            .shape(call, Optional.of(new Pair(Algorithm.NVLS, Protocol.SIMPLE)), inPlace)
            .map(model::linksUs)
            .orElse(0.0);
  }

  /** Times of a call by each algorithm and protocol that NCCL can use, in NCCL's order. */
  public List<CollectivePrediction> predictEach(CollectiveCall call, boolean inPlace) {
    List<CollectivePrediction> each = new ArrayList<>();
    for (Algorithm algorithm : Algorithm.values()) {
      for (Protocol protocol : Protocol.values()) {
        predict(call, algorithm, protocol, inPlace).ifPresent(each::add);
      }
    }
    return each;
  }

  /** Compares NCCL's choice for a call with every pair, out of place. */
  public ChoiceComparison compare(CollectiveCall call) {
    return new ChoiceComparison(predict(call, false), predictEach(call, false));
  }

  /**
   * The link that a call waits for; empty if it waits for something else, or if the time is that of
   * NCCL's own model, which has no links.
   */
  public Optional<BusyLink> fullLink(CollectivePrediction prediction) {
    if (prediction.estimate().bottleneck() != Bottleneck.LINKS
        || !prediction.source().predictsTimes()) {
      return Optional.empty();
    }
    // The blocks of a kernel are not channels: each exchanges data with all ranks.
    return prediction.kernel().isPresent()
        ? planner.routes().flatMap(routes -> routes.busiestOf((from, to) -> 1))
        : planner.busiestLink(prediction.algorithm(), prediction.channels());
  }

  /** The port or links that a call between nodes waits for; empty if it waits for neither. */
  public Optional<NetworkPart> fullPort(CollectivePrediction prediction) {
    return prediction.source() == Source.NETWORK
            || prediction.source() == Source.UNMEASURED
            || prediction.source() == Source.OWN_TIMES
        ? network.flatMap(predictor -> predictor.fullLink(prediction))
        : Optional.empty();
  }

  /** Lower bound of the time of any schedule on the links; empty if no bound is known. */
  public OptionalDouble leastUs(Operation operation, double bytes) {
    if (bounds.isEmpty()) {
      Connection connection = planner.communicator().connection();
      bounds = Optional.of(new JobBounds(connection, planner.actual(), LinkScope.PATHS));
    }
    return bounds.get().bound(operation).stream()
        .mapToDouble(bound -> bound.timeUs(bytes))
        .findFirst();
  }

  /**
   * Time of a call by NCCL's own model, with launches, where no measurement of its algorithm
   * between nodes is known; empty elsewhere.
   */
  public OptionalDouble ncclUs(CollectivePrediction prediction) {
    return prediction.source() != Source.UNMEASURED
        ? OptionalDouble.empty()
        : planner
            .choice(prediction.call(), Optional.of(prediction.pair()))
            .map(choice -> byNccl(prediction.call(), choice, prediction.channels()).timeUs())
            .map(OptionalDouble::of)
            .orElse(OptionalDouble.empty());
  }

  /** The timing model; with NCCL's own model only its launch times are used. */
  public TimingModel model() {
    return model;
  }

  private Source source(Algorithm algorithm) {
    boolean published =
        algorithm == Algorithm.NVLS
            && !Collections.disjoint(model.calibration().published(), Constant.OF_NVLS);
    return published ? Source.PUBLISHED : Source.CALIBRATION;
  }

  /** True if a node is an NVLink domain of several hosts, on which little was measured. */
  public boolean spansHosts() {
    return spansHosts;
  }

  static boolean spansHosts(Connection connection) {
    return connection.topologies().anyMatch(topology -> topology.nHosts() > 1);
  }

  /** Spread of predictions of calls of a size from a source; empty if not known. */
  public OptionalDouble spread(Source source, Operation operation, long bytes) {
    return spread(source, operation, bytes, "");
  }

  /**
   * Spread of a part of the predictions.
   *
   * @param part suffix of the calibration's name in the table of spreads
   */
  private OptionalDouble spread(Source source, Operation operation, long bytes, String part) {
    boolean isShared = planner.context().groups() > 1 || planner.concurrent().isPresent();
    if (isShared || source == Source.UNMEASURED || mixed || mayLackP2p) {
      return OptionalDouble.empty();
    }
    if (source == Source.NETWORK) {
      return network
          .map(predictor -> predictor.spread(operation, bytes, launch(""), part))
          .orElse(OptionalDouble.empty());
    }
    if (spansHosts) {
      return KnownSpread.of(model.calibration().name() + KnownSpread.RACK, launch(part), bytes)
          .filter(known -> source != Source.NCCL_MODEL)
          .map(known -> OptionalDouble.of(known.part()))
          .orElse(OptionalDouble.empty());
    }
    return basis(source)
        .map(
            basis ->
                KnownSpread.of(basis + part, launch(part), operation, bytes)
                    .map(
                        known ->
                            OptionalDouble.of((isBorrowed(source) ? BORROWED : 1) * known.part()))
                    .orElse(OptionalDouble.empty()))
        .orElseGet(() -> OptionalDouble.of(model.calibration().spread()));
  }

  private boolean isBorrowed(Source source) {
    return borrowed && source.judges();
  }

  /** True if the constants of a node are those of another generation of GPUs. */
  public boolean isBorrowed() {
    return borrowed;
  }

  /** The kind of launch in the table of spreads; entries with a suffix exist for two GPUs only. */
  private Launch launch(String part) {
    return Launch.of(
        planner.gpusPerProcess(),
        part.isEmpty() ? facts.nRanks() : Math.min(facts.nRanks(), NodeCosts.MEASURED_GPUS));
  }

  /**
   * The runs from which the spread is known; empty for a calibration of the user, whose file has
   * it.
   */
  private Optional<String> basis(Source source) {
    Calibration calibration = model.calibration();
    return switch (source) {
      case NCCL_MODEL ->
          Optional.of(
              facts.nNodes() > 1 ? KnownSpread.NCCL_BETWEEN_NODES : KnownSpread.NCCL_IN_NODE);
      case NETWORK, UNMEASURED, OWN_TIMES -> network.flatMap(NetworkPredictor::basis);
      case PUBLISHED -> Optional.of(calibration.name() + KnownSpread.NVLS);
      case CALIBRATION ->
          CalibrationFile.isShipped(calibration)
              ? Optional.of(calibration.name())
              : Optional.empty();
    };
  }

  private Optional<CollectivePrediction> prediction(
      CollectiveCall call, Choice choice, boolean inPlace) {
    return prediction(call, choice, planner.shape(call, choice, inPlace), inPlace, true);
  }

  private Optional<CollectivePrediction> prediction(
      CollectiveCall call,
      Choice choice,
      Optional<CallShape> laidOut,
      boolean inPlace,
      boolean measured) {
    if (facts.nRanks() < 2) {
      return Optional.empty();
    }
    Optional<CallShape> shape = laidOut.filter(known -> !ncclOnly);
    Optional<NetworkCall> measuredLike =
        network.flatMap(predictor -> predictor.call(call, choice, inPlace));
    boolean isUnmeasured = measuredLike.isEmpty();
    Optional<NetworkCall> onNetwork =
        measuredLike.or(() -> network.flatMap(predictor -> predictor.unmeasured(call, choice)));
    if (onNetwork.flatMap(NetworkCall::uplink).flatMap(UplinkLoad::obstacle).isPresent()) {
      return Optional.empty();
    }
    Optional<NetworkTime> between =
        onNetwork.flatMap(known -> network.map(predictor -> predictor.time(known)));
    if (between.isEmpty() && shape.isEmpty() && choice.isLastResort()) {
      return Optional.empty();
    }
    Source source = shape.isPresent() ? source(choice.algorithm()) : Source.NCCL_MODEL;
    source = between.isPresent() ? (isUnmeasured ? Source.UNMEASURED : Source.NETWORK) : source;
    // No published call waits for an uplink.
    boolean byUplink = between.filter(time -> time.limit() == Limit.UPLINK).isPresent();
    int channels =
        shape.map(CallShape::channels).orElseGet(() -> ChannelShare.launched(facts, call, choice));
    return Optional.of(
        new CollectivePrediction(
            call,
            facts.nRanks(),
            choice.algorithm(),
            choice.protocol(),
            Optional.empty(),
            channels,
            choice.channels(),
            between
                .map(time -> model.estimate(planner.gpusPerProcess(), channels, time.estimate()))
                .or(() -> shape.map(model::estimate))
                .orElseGet(() -> byNccl(call, choice, channels)),
            source,
            measured && !byUplink
                ? widened(
                    choice.algorithm(),
                    shape.isPresent() && planner.isThroughHost(),
                    spread(
                        source,
                        call.collective(),
                        call.sizeBytes(),
                        source == Source.NETWORK ? KnownSpread.suffix(choice.protocol()) : ""))
                : OptionalDouble.empty(),
            onNetwork.flatMap(known -> network.flatMap(predictor -> predictor.hashes(known))),
            ranksMeasured(call, choice.protocol()),
            isBorrowed(source)));
  }

  /**
   * Largest number of ranks for which times are known: published times of eight GPUs extend the
   * calibration's own runs. For AllReduce by LL from 1 MiB on, the published times contradict each
   * other by a factor of up to 1.9 on Hopper (docs/accuracy.md), so that only its own runs count.
   */
  private int ranksMeasured(CollectiveCall call, Protocol protocol) {
    Calibration calibration = model.calibration();
    boolean areContradictory =
        call.collective() == Collective.ALL_REDUCE
            && protocol == Protocol.LL
            && call.sizeBytes() >= CONTRADICTORY_BYTES;
    if (areContradictory) {
      return CalibrationFile.related(calibration.name())
          .flatMap(CalibrationFile::shipped)
          .orElse(calibration)
          .measuredOn()
          .gpus();
    }
    return KnownSpread.isKnownOf(calibration.name(), call.collective())
        ? Math.max(PUBLISHED_GPUS, calibration.measuredOn().gpus())
        : calibration.measuredOn().gpus();
  }

  /**
   * Of NVLS and NVLSTree with channels or chunks that nobody measured, and of rings with few
   * threads, twice the range is assumed.
   */
  private OptionalDouble widened(
      Algorithm algorithm, boolean isThroughHost, OptionalDouble spread) {
    boolean isUsual =
        switch (algorithm) {
          case NVLS, NVLS_TREE -> planner.hasUsualNvls();
          case RING -> planner.hasUsualThreads();
          default -> true;
        };
    if (spread.isEmpty()) {
      return spread;
    }
    double least = isThroughHost ? HOST_SPREAD : 0;
    return OptionalDouble.of(
        Math.max(least, isUsual ? spread.getAsDouble() : UNUSUAL_LAUNCH * spread.getAsDouble()));
  }

  private TimeEstimate byNccl(CollectiveCall call, Choice choice, int channels) {
    double latency =
        tuner.model().latencyUs(call.collective(), choice.algorithm(), choice.protocol());
    return model.estimate(planner.gpusPerProcess(), channels, latency, choice.timeUs());
  }
}
