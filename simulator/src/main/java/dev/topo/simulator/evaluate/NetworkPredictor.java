package dev.topo.simulator.evaluate;

import dev.topo.model.ComputeCapability;
import dev.topo.model.MachineKind;
import dev.topo.model.Node.NetNode;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.connect.Connection;
import dev.topo.search.transfer.Traffic;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.network.Fabric;
import dev.topo.simulator.network.FabricTraffic;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkCall;
import dev.topo.simulator.network.NetworkCall.NetworkTime;
import dev.topo.simulator.network.NetworkCall.NetworkTime.Limit;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.simulator.network.NetworkFile.PublishedOperations;
import dev.topo.simulator.network.NetworkKind;
import dev.topo.simulator.network.NetworkModel;
import dev.topo.simulator.network.NetworkPlanner;
import dev.topo.simulator.network.NetworkTransfers;
import dev.topo.simulator.network.PortLoad;
import dev.topo.simulator.network.PortLoad.PathLimit;
import dev.topo.simulator.network.UplinkLoad;
import dev.topo.simulator.timing.CallShape;
import dev.topo.simulator.timing.CallShape.Contention;
import dev.topo.simulator.timing.TimeEstimate.NodeTime;
import dev.topo.simulator.timing.TimingModel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;

/** Predicts the times of the calls of a job of several nodes, by a model of the network. */
public final class NetworkPredictor {
  /** Number of nodes above which jobs have ranges of their own (docs/accuracy.md). */
  public static final int FEW_NODES = 32;

  /** The quantiles of the times over all hashes that bound a range. */
  private static final double FASTEST = 0.05;

  private static final double SLOWEST = 0.95;

  private static final double US_PER_PS = 1e-6;

  private final CallPlanner calls;
  private final TimingModel inNode;
  private final NetworkPlanner planner;
  private final NetworkModel model;
  private final String rangePart;

  private NetworkPredictor(
      CallPlanner calls,
      TimingModel inNode,
      NetworkCalibration constants,
      Optional<Fabric> fabric) {
    Connection connection = calls.communicator().connection();
    this.calls = calls;
    this.inNode = inNode;
    this.planner =
        new NetworkPlanner(
            connection, settings(calls), fabric, calls.context().groups(), calls.concurrent());
    this.model = new NetworkModel(constants);
    this.rangePart = rangePart(connection.nNodes(), CallPredictor.spansHosts(connection));
  }

  /**
   * A predictor with the calibration for the ports of the nodes; empty as for the other factory.
   */
  static Optional<NetworkPredictor> of(CallPlanner calls, TimingModel inNode) {
    return of(
        calls,
        inNode,
        NetworkKind.of(calls.communicator().connection()).constants(),
        Optional.empty());
  }

  /**
   * A predictor with a calibration; empty for one node, and if a node has no port.
   *
   * @param fabric the switches between the nodes; empty if they are assumed not to limit
   */
  static Optional<NetworkPredictor> of(
      CallPlanner calls,
      TimingModel inNode,
      NetworkCalibration constants,
      Optional<Fabric> fabric) {
    Connection connection = calls.communicator().connection();
    return connection.nNodes() < 2 || !connection.hasPorts()
        ? Optional.empty()
        : Optional.of(new NetworkPredictor(calls, inNode, constants, fabric));
  }

  private static NcclSettings settings(CallPlanner calls) {
    return calls.communicator().job().settings();
  }

  /** The constants. */
  public NetworkCalibration calibration() {
    return model.calibration();
  }

  /**
   * The distinct names of ports whose speed NCCL may have assumed; this speed does not limit times.
   */
  List<String> portsOfAssumedSpeed() {
    return calls
        .communicator()
        .connection()
        .topologies()
        .flatMap(topology -> topology.nets().stream())
        .filter(NetNode::isSpeedAssumed)
        .map(port -> port.name().isEmpty() ? "NIC " + port.dev() : port.name())
        .distinct()
        .toList();
  }

  /** The runs from which the spread was derived; empty for a calibration of the user. */
  Optional<String> basis() {
    return NetworkFile.isShipped(calibration())
        ? Optional.of(KnownSpread.NETWORK + calibration().name())
        : Optional.empty();
  }

  /**
   * Spread of the times of calls of a size; empty if not known.
   *
   * @param protocol suffix of the network's name in the table of spreads
   */
  OptionalDouble spread(Operation operation, long bytes, Launch launch, String protocol) {
    return range(operation, bytes, launch, protocol).stream()
        .mapToDouble(range -> range.part())
        .findFirst();
  }

  /**
   * The known range of calls of a size; empty if none is known, and for a calibration of the user.
   */
  Optional<KnownSpread> range(Operation operation, long bytes, Launch launch, String protocol) {
    long bytesOfRank = bytes / calls.communicator().connection().nRanks();
    return rangeBasis()
        .map(basis -> basis.endsWith(KnownSpread.DOMAIN) ? basis : basis + protocol)
        .filter(basis -> isLikePublished())
        .flatMap(
            basis ->
                isPublished(operation)
                    ? KnownSpread.of(basis, launch, operation, bytesOfRank)
                    : KnownSpread.ofOthers(
                        basis, launch, PublishedOperations.of(calibration().name()), bytesOfRank));
  }

  private boolean isLikePublished() {
    return calls.communicator().connection().nNodes() <= mostNodes()
        && hasLinkedNodes()
        && !isFirstEfa();
  }

  /** True if times of an operation on this network are published. */
  boolean isPublished(Operation operation) {
    return PublishedOperations.of(calibration().name()).contains(operation);
  }

  /** The largest number of nodes with published times on this network. */
  int mostNodes() {
    return PublishedOperations.mostNodes(calibration().name());
  }

  /** The entry of the table of spreads for these ranges; empty for a calibration of the user. */
  Optional<String> rangeBasis() {
    return basis().map(basis -> basis + rangePart);
  }

  /**
   * Suffix of a network's name in the table of spreads: errors grow with the number of nodes, and
   * nodes that are NVLink domains of several hosts have entries of their own.
   */
  public static String rangePart(int nodes, boolean isDomain) {
    if (isDomain) {
      return KnownSpread.DOMAIN;
    }
    return nodes > FEW_NODES ? KnownSpread.MANY : nodes == 2 ? KnownSpread.TWO : "";
  }

  /** True if GPUs of a node have NVLink, as in all clusters whose times are published. */
  boolean hasLinkedNodes() {
    return calls.communicator().connection().topologies().allMatch(MachineKind::isLinked);
  }

  /**
   * True if the network is that of AWS p4d and p4de, the first EFA: its GPUs are older than Hopper.
   * It does not keep 128 bytes in order, so aws-ofi-nccl sets NCCL_PROTO to simple ({@code
   * aws-ofi-nccl:src/platform-aws.cpp}), and its times do not carry over to newer instances.
   */
  boolean isFirstEfa() {
    return calibration().name().equals(NetworkKind.EFA.label())
        && calls.communicator().connection().minSm() < ComputeCapability.HOPPER;
  }

  /** The traffic over the switches between the nodes; empty if no switches are stated. */
  public Optional<FabricTraffic> fabric() {
    return planner.fabric();
  }

  /** The time of a collective. */
  NetworkTime time(NetworkCall call) {
    return model.time(call);
  }

  /**
   * The range of times of a collective over the hashing of its flows; empty if they are not hashed.
   */
  Optional<HashRange> hashes(NetworkCall call) {
    return hashes(call.uplink(), () -> model.time(call), part -> model.kernelUs(call, part));
  }

  private static Optional<HashRange> hashes(
      Optional<UplinkLoad> uplink, Supplier<NetworkTime> expected, DoubleUnaryOperator kernelUs) {
    if (uplink.filter(UplinkLoad::isRandom).isEmpty()) {
      return Optional.empty();
    }
    double timeUs = expected.get().kernelUs();
    return Optional.of(
        new HashRange(
            kernelUs.applyAsDouble(FASTEST) / timeUs, kernelUs.applyAsDouble(SLOWEST) / timeUs));
  }

  /**
   * The properties of a collective that determine its time; empty if the model does not cover it.
   */
  public Optional<NetworkCall> call(CollectiveCall call, Choice choice, boolean inPlace) {
    List<CallShape> shapes = calls.insideNodes(call, choice, inPlace);
    return slowest(shapes).map(node -> planner.call(choice.algorithm(), shapes.get(0), node));
  }

  /**
   * The properties that determine the time of a collective by PAT or by a network that reduces;
   * empty for other algorithms.
   */
  Optional<NetworkCall> unmeasured(CollectiveCall call, Choice choice) {
    List<CallShape> shapes = calls.likeInsideNodes(call, choice);
    return slowest(shapes).map(node -> planner.unmeasured(choice.algorithm(), shapes.get(0), node));
  }

  private Optional<NodeTime> slowest(List<CallShape> shapes) {
    return shapes.stream()
        .map(shape -> inNode.inNode(shape, calls.communicator().facts().maxLocalRanks()))
        .reduce(NodeTime::slower);
  }

  private Optional<NetworkCall> known(CollectiveCall call, Choice choice) {
    return call(call, choice, false).or(() -> unmeasured(call, choice));
  }

  /** The load of the switches by a collective; empty where the model does not cover it. */
  Optional<UplinkLoad> uplink(CollectiveCall call, Choice choice) {
    return known(call, choice).flatMap(NetworkCall::uplink);
  }

  /** The load of the switches by sends and receives with equal parts. */
  Optional<UplinkLoad> uplink(PeerCall call) {
    return call.operation() == PeerOperation.ALLTOALLV
        ? skewed(1, 1).uplink()
        : call(call.operation(), call.sizeBytes()).flatMap(NetworkTransfers::uplink);
  }

  /**
   * The properties of sends and receives that determine their time; empty if the model does not
   * cover them.
   *
   * @param bytes size as nccl-tests counts it
   */
  Optional<NetworkTransfers> call(PeerOperation operation, long bytes) {
    return planner.call(operation, bytes);
  }

  /**
   * The properties that determine the time of an alltoallv in which rank 0 receives more than the
   * others.
   *
   * @param part bytes that each rank sends to each rank other than rank 0
   * @param factor bytes that each rank sends to rank 0, relative to {@code part}
   */
  NetworkTransfers skewed(double part, double factor) {
    return planner.skewed(part, factor);
  }

  /** The properties that determine the time of an alltoallv with any sizes in bytes. */
  NetworkTransfers matrix(Traffic traffic) {
    return planner.matrix(traffic::bytes, linksUs(traffic));
  }

  /** Time of the busiest link inside a node for the traffic inside it. */
  private double linksUs(Traffic traffic) {
    Connection connection = calls.communicator().connection();
    double most = 0;
    for (int node = 0; node < connection.nNodes(); node++) {
      if (connection.localRanks(node) > 1) {
        Contention links = ChannelRoutes.ofNode(connection, settings(calls), node).traffic(traffic);
        most =
            Math.max(
                most,
                Math.max(
                    links.nvlinkPsPerByte()
                        / inNode.calibration().value(Constant.NVLINK_EFFICIENCY),
                    links.otherPsPerByte() / inNode.calibration().value(Constant.PCI_EFFICIENCY)));
      }
    }
    return calls.context().groups() * most * US_PER_PS;
  }

  /** The time of sends and receives. */
  NetworkTime time(NetworkTransfers call) {
    return model.time(call);
  }

  /**
   * The range of times of sends and receives over the hashing of flows; empty where flows are not
   * hashed.
   */
  Optional<HashRange> hashes(NetworkTransfers call) {
    return hashes(call.uplink(), () -> model.time(call), part -> model.kernelUs(call, part));
  }

  /** The link that limits sends and receives; empty if none does. */
  Optional<NetworkPart> fullLink(NetworkTransfers call) {
    NetworkTime time = model.time(call);
    return fullLink(
        time,
        call.uplink(),
        call.port(),
        model.pathLimit(call),
        hashes(call).map(hashes -> hashes.text(time.kernelUs())));
  }

  /** The link that limits a collective; empty if none does. */
  Optional<NetworkPart> fullLink(CollectivePrediction prediction) {
    return calls
        .choice(prediction.call(), Optional.of(prediction.pair()))
        .flatMap(choice -> known(prediction.call(), choice))
        .flatMap(
            call ->
                fullLink(
                    model.time(call),
                    call.uplink(),
                    call.port(),
                    model.pathLimit(call),
                    prediction.hashes().map(hashes -> hashes.text(prediction.timeUs()))));
  }

  private static Optional<NetworkPart> fullLink(
      NetworkTime time,
      Optional<UplinkLoad> uplink,
      PortLoad port,
      PathLimit path,
      Optional<String> hashes) {
    Optional<String> name =
        switch (time.limit()) {
          case PORT -> Optional.of(port.port());
          case UPLINK ->
              Optional.of(
                  "uplink of switch "
                      + uplink.orElseThrow().name()
                      + hashes.map(range -> ", %s by hash".formatted(range)).orElse(""));
          case MESSAGES, CHANNELS, LINKS -> time.full();
        };
    return name.map(label -> new NetworkPart(time.limit(), label, port, path));
  }

  /**
   * The part of the network or of the nodes that limits a call between nodes.
   *
   * @param limit kind of the part
   * @param name the busiest port; for other kinds the part in words
   * @param port the busiest port
   * @param path the part of the path to that port that limits it
   */
  public record NetworkPart(Limit limit, String name, PortLoad port, PathLimit path) {
    /** The part, as shown in tables. */
    public String label() {
      return limit == Limit.PORT ? path.label() + "NIC " + port.port() : name;
    }
  }
}
