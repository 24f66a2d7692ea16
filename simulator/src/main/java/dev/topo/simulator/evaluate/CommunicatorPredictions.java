package dev.topo.simulator.evaluate;

import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.io.PlainText;
import dev.topo.model.io.TextWriter;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Calibration.MeasuredOn;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import dev.topo.simulator.calibration.NodeCosts;
import dev.topo.simulator.evaluate.JobRequest.CallContext;
import dev.topo.simulator.evaluate.PredictedCall.PairSelection;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.network.NetworkCalibration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Predictions for a communicator.
 *
 * @param title name of the machines
 * @param result the evaluated job
 * @param calls the calls; none if measurements are judged
 * @param judged the predictions that measurements are compared with; none if nothing was measured
 * @param peers operations made of sends and receives
 * @param unsent operations made of sends and receives that have no time
 */
public record CommunicatorPredictions(
    String title,
    JobResult result,
    List<PredictedCall> calls,
    List<CollectivePrediction> judged,
    List<PeerPrediction> peers,
    List<PeerCall> unsent) {
  /** Most characters of an origin, which may be a long list of files. */
  private static final int MOST_OF_ORIGIN = 200;

  public CommunicatorPredictions {
    calls = List.copyOf(calls);
    judged = List.copyOf(judged);
    peers = List.copyOf(peers);
    unsent = List.copyOf(unsent);
  }

  /** The forecast of calls with NCCL's choices. */
  public static CommunicatorPredictions of(String title, JobResult result, List<Call> calls) {
    List<PredictedCall> collectives = new ArrayList<>();
    List<PeerPrediction> peers = new ArrayList<>();
    List<PeerCall> unsent = new ArrayList<>();
    for (Call call : calls) {
      if (call instanceof CollectiveCall collective) {
        collectives.add(PredictedCall.of(result.predictor(), collective, PairSelection.CHOSEN));
      } else if (call instanceof PeerCall peer) {
        result
            .predict(peer)
            .map(PeerPrediction.class::cast)
            .ifPresentOrElse(peers::add, () -> unsent.add(peer));
      }
    }
    return new CommunicatorPredictions(title, result, collectives, List.of(), peers, unsent);
  }

  /** A forecast of calls that all have a time. */
  public CommunicatorPredictions(
      String title,
      JobResult result,
      List<PredictedCall> calls,
      List<CollectivePrediction> judged,
      List<PeerPrediction> peers) {
    this(title, result, calls, judged, peers, List.of());
  }

  /** A forecast of collectives. */
  public CommunicatorPredictions(
      String title,
      JobResult result,
      List<PredictedCall> calls,
      List<CollectivePrediction> judged) {
    this(title, result, calls, judged, List.of());
  }

  /** True if no time is known for any call. */
  public boolean isEmpty() {
    return peers.isEmpty() && calls.stream().allMatch(call -> call.shown().isEmpty());
  }

  /** The actual machine. */
  public Topology actual() {
    return result.request().actualTopology();
  }

  /** True if NCCL sees a declared machine that differs from the actual one. */
  public boolean isDeclaredOther() {
    return result.request().actual().isPresent();
  }

  /** Predicts calls of the communicator. */
  public CallPredictor predictor() {
    return result.predictor();
  }

  /** The calibration of the predictions. */
  public SelectedCalibration calibration() {
    return result.request().selectedCalibration();
  }

  /** Number of ranks. */
  public int nRanks() {
    return result.communicator().nRanks();
  }

  /** Number of nodes. */
  public int nNodes() {
    return result.communicator().nNodes();
  }

  /** Number of hosts; an NVLink domain is one node of several hosts. */
  public int nHosts() {
    return result.communicator().job().nHosts();
  }

  /** The nodes in words. */
  public String nodeWords() {
    return result.communicator().connection().nodeWords();
  }

  /** Facts that the predictions do not model, in words; empty if everything is as measured. */
  public List<String> caveats() {
    return remarks().stream().map(Remark::text).toList();
  }

  /** The caveats without those on the constants and their ranges. */
  public List<String> limits() {
    return remarks().stream().filter(remark -> !remark.isBasis()).map(Remark::text).toList();
  }

  private List<Remark> remarks() {
    List<Remark> caveats = new ArrayList<>();
    NodeCaveats.of(result.communicator()).stream().map(Remark::limit).forEach(caveats::add);
    SelectedCalibration calibration = calibration();
    if (calibration.own().isPresent()) {
      caveats.add(
          Remark.basis("times are corrected by what was measured: " + calibration.reason()));
    }
    if (predictor().network().isPresent()) {
      predictor().network().ifPresent(network -> betweenNodes(network, caveats));
    } else if (calibration.calibration().isEmpty()) {
      caveats.add(
          Remark.basis(
              "no measured constants: times are those of NCCL's own model (*), which ranks"
                  + " algorithms, and of launches measured on another host; topo calibrate creates"
                  + " a calibration"));
      caveats.add(Remark.basis(ncclRange()));
    } else {
      algorithms(Source.NCCL_MODEL)
          .ifPresent(
              names ->
                  caveats.add(
                      Remark.basis(
                          names + " (*) is not calibrated: times are those of NCCL's own model")));
      algorithms(Source.PUBLISHED)
          .ifPresent(
              names ->
                  caveats.add(
                      Remark.basis(
                          names
                              + " (*) is based on published busbw: "
                              + KnownSpread.text(
                                  calibration.calibration().get().name()
                                      + (predictor().spansHosts()
                                          ? KnownSpread.RACK
                                          : KnownSpread.NVLS),
                                  launch()))));
    }
    if (predictions().anyMatch(p -> p.algorithm().isNvls())
        && !predictor().planner().hasUsualNvls()) {
      caveats.add(
          Remark.limit(
              "NVLS and NVLSTree were measured with NCCL's own channels and chunks only: with"
                  + " others "
                  + widened(predictions().filter(p -> p.algorithm().isNvls()))));
    }
    if (predictions().anyMatch(p -> p.algorithm() == Algorithm.RING)
        && !predictor().planner().hasUsualThreads()) {
      caveats.add(
          Remark.limit(
              "NCCL_NTHREADS and NCCL_LL128_NTHREADS were measured on two H200 only: for rings "
                  + widened(predictions().filter(p -> p.algorithm() == Algorithm.RING))));
    }
    if (predictor().isBorrowed()) {
      calibration
          .calibration()
          .ifPresent(
              nearest ->
                  caveats.add(
                      Remark.basis(
                          "no time of this generation of GPUs is in calibration %s (%s): %s"
                              .formatted(
                                  nearest.name(),
                                  String.join("; ", nearest.measuredOn().machines()),
                                  widened(
                                      Stream.concat(predictions(), peers.stream())
                                          .filter(Prediction::isBorrowed))))));
    }
    if (nNodes() == 1
        && calibration.calibration().isPresent()
        && !calibration.isLowQuality()
        && predictor().planner().isThroughHost()) {
      caveats.add(
          Remark.limit(
              "hosts differ in how fast GPUs exchange data through their memory: two of one kind by"
                  + " 1.4"));
    }
    if (nNodes() == 1 && result.request().fabric().isPresent()) {
      caveats.add(
          Remark.limit("the switches of --fabric have no effect: all ranks are on " + nodeWords()));
    }
    ofContext(caveats);
    if (calibration.isLowQuality() && nNodes() == 1 && calibration.own().isEmpty()) {
      caveats.add(
          Remark.limit(
              "the calibration is rough, as the PCI fabric of the host decides, which its file does not state: five hosts took 0.6 to 4 times as long, sends and receives of eight GPUs on one of them up to 50 times (docs/accuracy.md); topo calibrate with three sizes of a collective brought those of one host to 2 %"));
    }
    if (nNodes() == 1 && calibration.own().isEmpty()) {
      calibration.calibration().ifPresent(c -> notMeasured(c, caveats));
    }
    return caveats;
  }

  /** Describes the range of predictions whose usual range is doubled. */
  private static String widened(Stream<? extends Prediction> of) {
    return of.anyMatch(prediction -> prediction.spread().isPresent())
        ? "the range is twice as wide"
        : "no range is known";
  }

  private void betweenNodes(NetworkPredictor network, List<Remark> caveats) {
    NetworkCalibration constants = network.calibration();
    caveats.add(
        Remark.basis(
            "between nodes (*): network %s: %s"
                .formatted(constants.name(), PlainText.brief(constants.origin(), MOST_OF_ORIGIN))));
    List<String> assumed = network.portsOfAssumedSpeed();
    if (!assumed.isEmpty()) {
      caveats.add(
          Remark.limit(
              "%s: NCCL counts an interface that states no speed as 10 Gb/s, so times are not limited by it; for a real port of 10 Gb/s set speed=\"9999\""
                  .formatted(String.join(", ", assumed))));
    }
    CallContext context = predictor().planner().context();
    if (context.groups() == 1
        && predictor().planner().concurrent().isEmpty()
        && calibration().own().isEmpty()) {
      caveats.addAll(new NetworkRange(this, network).remarks());
    }
    network
        .fabric()
        .ifPresent(
            fabric -> FabricCaveats.of(fabric).stream().map(Remark::limit).forEach(caveats::add));
    if (peers.stream().anyMatch(peer -> peer.operation() == PeerOperation.ALLTOALLV)) {
      caveats.add(
          Remark.limit(
              "alltoallv: busbw by what the busiest rank sends or receives; uneven calls between"
                  + " nodes were not measured, no range is known"));
    }
    algorithms(Source.UNMEASURED)
        .ifPresent(
            names ->
                caveats.add(
                    Remark.limit(
                        names
                            + ": no run between nodes is known: by the rate of the ports and the"
                            + " latencies of rings and trees, no range is known; JSON has the time"
                            + " of NCCL's own model")));
    if (calibration().calibration().isEmpty()) {
      caveats.add(Remark.limit("no measured constants for these nodes: inside a node as on H200"));
    }
    algorithms(Source.NCCL_MODEL)
        .ifPresent(
            names ->
                caveats.add(
                    Remark.limit(
                        names
                            + ": not covered between nodes: times are those of NCCL's own model,"
                            + " which ranks algorithms; "
                            + ncclRange())));
  }

  /** Adds the caveats on sends and receives, symmetric windows and concurrent groups. */
  private void ofContext(List<Remark> caveats) {
    String machine = NodeCosts.shipped().machine();
    String measured = NodeCosts.MEASURED_GPUS + " H200 (" + machine + ")";
    boolean isOther =
        calibration()
            .calibration()
            .filter(c -> c.measuredOn().machines().contains(machine))
            .isEmpty();
    boolean isBorrowed =
        !peers.isEmpty() && predictor().peers().filter(PeerPredictor::isMeasured).isEmpty();
    boolean hasMorePeers = peers.stream().anyMatch(PeerPrediction::hasMoreRanks);
    if (!peers.isEmpty() && (isBorrowed || hasMorePeers)) {
      caveats.add(
          Remark.limit(
              (nNodes() == 1 ? "sends" : "inside a node sends")
                  + " and receives were measured "
                  + (isBorrowed || !isOther
                      ? "on " + measured
                      : "with "
                          + calibration().calibration().orElseThrow().measuredOn().gpus()
                          + " GPUs")
                  + (isBorrowed
                      ? ": their ratios to the constants of this calibration"
                          + (nNodes() == 1 ? ", no range is known" : "")
                      : ": small calls of more GPUs may take up to twice as long")));
    }
    if (predictions().anyMatch(p -> p.kernel().isPresent() && p.isCalibrated())) {
      if (isOther || nRanks() > NodeCosts.MEASURED_GPUS) {
        caveats.add(Remark.limit("kernels of symmetric windows were measured on " + measured));
      }
    }
    predictor()
        .planner()
        .concurrent()
        .ifPresent(
            concurrentGroups ->
                caveats.add(
                    Remark.limit(
                        concurrentGroups.count()
                            + " groups at once make equal calls: flows get equal parts of the"
                            + " ports, links and uplinks that they share, until the last ends; not"
                            + " compared with a measurement, no range is known")));
    int groups = predictor().planner().context().groups();
    if (groups > 1) {
      caveats.add(
          Remark.limit(
              groups
                  + " groups at once: measured with two groups of two H200, AllReduce from 1 to 256"
                  + " MiB, launched by PyTorch 2.11"
                  + (nNodes() > 1 ? ", nothing between nodes" : "")
                  + "; no range is known"));
    }
  }

  /**
   * True if some clusters take longer for what no option states ({@link KnownSpread#SLOWER}). A
   * calibration of the user is of a cluster of one kind.
   */
  public boolean hasSlowerKind(Prediction prediction) {
    return prediction.source() == Source.NETWORK
        && prediction.protocol() == Protocol.LL128
        && prediction.spread().isPresent()
        && predictor().network().flatMap(NetworkPredictor::basis).isPresent();
  }

  /** How kernels are launched. */
  public Launch launch() {
    return Launch.of(predictor().planner().gpusPerProcess(), nRanks());
  }

  private String ncclRange() {
    boolean isOneNode = nNodes() == 1;
    String basis = isOneNode ? KnownSpread.NCCL_IN_NODE : KnownSpread.NCCL_BETWEEN_NODES;
    return KnownSpread.percents(basis, launch())
        .map(
            percents ->
                isOneNode
                    ? "the range is the error of that model on two and four H200 in 90 of 100 cases, %s: not validated here"
                        .formatted(percents)
                    : "the range is the error of that model in 90 of 100 published runs on several nodes: %s"
                        .formatted(percents))
        .orElse("no range is known for " + launch().label());
  }

  private void notMeasured(Calibration use, List<Remark> caveats) {
    MeasuredOn measuredOn = use.measuredOn();
    if (predictor().spansHosts()) {
      caveats.add(
          Remark.limit(
              "in NVLink domains of several hosts only calls of 512 MiB and more were published, on"
                  + " GB200 and GB300 (docs/accuracy.md)"));
    }
    OptionalInt most =
        predictions()
            .filter(prediction -> prediction.nRanks() > prediction.nRanksMeasured())
            .mapToInt(CollectivePrediction::nRanksMeasured)
            .min();
    if (most.isPresent()) {
      boolean isRangeKnown =
          !calibration().isShipped() || KnownSpread.of(use.name(), launch(), 0).isPresent();
      caveats.add(
          Remark.basis(
              TextWriter.format(
                  "not measured with more than %d GPUs: small calls may take %s%s",
                  most.getAsInt(),
                  isRangeKnown ? "up to twice as long" : "longer, how much is not known",
                  calibration().isShipped() ? " (docs/accuracy.md)" : "")));
    }
    if (predictions().anyMatch(p -> p.call().sizeBytes() > measuredOn.largestBytes())) {
      caveats.add(
          Remark.limit(
              "sizes above "
                  + QuantityFormat.size(measuredOn.largestBytes())
                  + " were not measured for this calibration"));
    }
    if (calibration().isShipped() && predictor().planner().gpusPerProcess() == 0) {
      caveats.add(Remark.limit("replays of CUDA graphs above 256 KiB were not fitted"));
    }
  }

  /**
   * The calls without a time, each with the obstacle in words, without a full stop: NCCL refuses,
   * discards, or cannot run it as requested.
   */
  public Map<Call, String> obstacles() {
    Map<Call, String> obstacles = new LinkedHashMap<>();
    calls.stream()
        .filter(call -> call.shown().isEmpty())
        .forEach(
            call ->
                obstacles.put(
                    call.call(),
                    predictor()
                        .obstacle(call.call())
                        .orElseGet(() -> "NCCL cannot run it this way: " + call.refusal())));
    unsent.forEach(call -> obstacles.put(call, predictor().obstacle(call).orElse("")));
    return obstacles;
  }

  /** The obstacles of an operation, each once. */
  public List<String> obstacles(Operation operation) {
    return obstacles().entrySet().stream()
        .filter(entry -> entry.getKey().operation() == operation)
        .map(Map.Entry::getValue)
        .distinct()
        .toList();
  }

  /** The predictions of collectives. */
  public Stream<CollectivePrediction> predictions() {
    return Stream.concat(calls.stream().flatMap(call -> call.shown().stream()), judged.stream());
  }

  /**
   * The algorithms predicted by a source; with their collectives where another source predicts
   * others.
   */
  private Optional<String> algorithms(Source source) {
    Map<String, Set<Source>> sources = new LinkedHashMap<>();
    Map<String, Set<String>> collectives = new LinkedHashMap<>();
    predictions()
        .sorted(Comparator.comparing(CollectivePrediction::algorithm))
        .forEach(
            p -> {
              String by = p.kernel().map(SymmetricKernel::label).orElse(p.algorithm().label());
              sources.computeIfAbsent(by, a -> new HashSet<>()).add(p.source());
              if (p.source() == source) {
                collectives
                    .computeIfAbsent(by, a -> new LinkedHashSet<>())
                    .add(p.call().collective().label());
              }
            });
    List<String> names = new ArrayList<>();
    collectives.forEach(
        (by, of) ->
            names.add(
                sources.getOrDefault(by, Set.of()).size() > 1
                    ? by + " for " + String.join(" and ", of)
                    : by));
    return Optional.of(String.join(", ", names)).filter(text -> !text.isEmpty());
  }

  /**
   * A remark about predictions.
   *
   * @param text the remark in words
   * @param isBasis whether it states the constants and their ranges, not a limit of the model
   */
  record Remark(String text, boolean isBasis) {
    static Remark basis(String text) {
      return new Remark(text, true);
    }

    static Remark limit(String text) {
      return new Remark(text, false);
    }
  }

  /** Explains why NCCL counts other nodes than the stated hosts or NVLink domains. */
  private record NodeCaveats(
      Communicator communicator, Connection connection, NcclSettings settings) {
    private static final List<String> MNNVL = List.of("NCCL_MNNVL_ENABLE", DomainFinder.CLUSTER);

    /** Settings that forbid transfers inside a host. */
    private static final List<String> TRANSPORTS =
        List.of("NCCL_P2P_DISABLE", "NCCL_P2P_LEVEL", "NCCL_SHM_DISABLE");

    static List<String> of(Communicator communicator) {
      NodeCaveats caveats =
          new NodeCaveats(communicator, communicator.connection(), communicator.job().settings());
      return Stream.of(caveats.separateHosts(), caveats.dividedHosts())
          .flatMap(Optional::stream)
          .toList();
    }

    /** Stated NVLink domains of several hosts that NCCL does not join to nodes. */
    private Optional<String> separateHosts() {
      List<Machine> machines = communicator.job().machines();
      boolean hasDomains = machines.stream().anyMatch(machine -> machine.topology().nHosts() > 1);
      if (!hasDomains || CallPredictor.spansHosts(connection)) {
        return Optional.empty();
      }
      boolean isForbidden = !DomainFinder.joinsHosts(connection.profile().complete(settings));
      return Optional.of(
          "--nvlink-domain has no effect, each host is a node: "
              + (isForbidden
                  ? stated(MNNVL).orElse("the settings forbid peer-to-peer transfers")
                  : "no NVSwitch joins the hosts"));
    }

    /**
     * Hosts that NCCL splits into several nodes: where two GPUs may use neither peer-to-peer
     * transfers nor shared memory, their path is the network ({@code ncclTopoComputePaths}), and
     * each group of GPUs that only the network joins to the others is a node ({@code
     * ncclTopoTrimSystem}, {@code nccl:src/graph/paths.cc}, 2.28.9).
     */
    private Optional<String> dividedHosts() {
      int hosts = communicator.job().nHosts();
      return connection.nNodes() <= hosts
          ? Optional.empty()
          : Optional.of(
              "NCCL counts %s nodes on %s: only the network connects the groups of GPUs%s"
                  .formatted(
                      connection.nNodes(),
                      QuantityFormat.count(hosts, "host"),
                      stated(TRANSPORTS).map(names -> " (" + names + ")").orElse("")));
    }

    /** The given settings that the user has set, with their values. */
    private Optional<String> stated(List<String> names) {
      return names.stream()
          .flatMap(name -> settings.text(name).map(value -> name + "=" + value).stream())
          .reduce((first, second) -> first + " and " + second);
    }
  }
}
