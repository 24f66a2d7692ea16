package dev.topo.simulator;

import dev.topo.model.operation.PeerOperation;
import dev.topo.model.settings.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkCall;
import dev.topo.simulator.network.NetworkChoice;
import dev.topo.simulator.network.NetworkModel;
import dev.topo.simulator.network.NetworkPlanner;
import dev.topo.simulator.network.NetworkTime;
import dev.topo.simulator.network.NetworkTime.Limit;
import dev.topo.simulator.timing.CallShape;
import dev.topo.simulator.timing.NodeTime;
import dev.topo.simulator.timing.TimingModel;
import dev.topo.tuning.cost.CollectiveCall;
import dev.topo.tuning.launch.Decision.Choice;
import java.util.List;
import java.util.Optional;

/** Predicts the times of the calls of a job of several nodes, by a model of the network. */
public final class NetworkPredictor {
  /** Comes before the name of a network in the table of spreads. */
  public static final String BASIS = "network.";

  /**
   * Up to this number of nodes ranges are stated: three times what published runs have
   * (docs/accuracy-network.md).
   */
  public static final int MOST_NODES = 32;

  private final CallPlanner calls;
  private final TimingModel inNode;
  private final NetworkPlanner planner;
  private final NetworkModel model;

  private NetworkPredictor(CallPlanner calls, TimingModel inNode, NetworkCalibration constants) {
    Connection connection = calls.communicator().connection();
    this.calls = calls;
    this.inNode = inNode;
    this.planner = new NetworkPlanner(connection, settings(calls));
    this.model = new NetworkModel(constants);
  }

  /** With the calibration that fits the ports of the first node; empty as the other. */
  static Optional<NetworkPredictor> of(CallPlanner calls, TimingModel inNode) {
    return of(calls, inNode, choice(calls).calibration());
  }

  /** With a calibration; empty for one node, and where a node has no port to model. */
  static Optional<NetworkPredictor> of(
      CallPlanner calls, TimingModel inNode, NetworkCalibration constants) {
    Connection connection = calls.communicator().connection();
    return connection.nNodes() < 2 || !connection.hasPorts()
        ? Optional.empty()
        : Optional.of(new NetworkPredictor(calls, inNode, constants));
  }

  /** The shipped calibration that fits the ports of the first node. */
  public static NetworkChoice choice(CallPlanner calls) {
    return NetworkChoice.of(
        calls.communicator().connection().domain(0).topology().nets(), settings(calls));
  }

  private static NcclSettings settings(CallPlanner calls) {
    return calls.communicator().job().machines().get(0).settings();
  }

  /** The constants. */
  public NetworkCalibration calibration() {
    return model.calibration();
  }

  /** What the spread of its times is known of. */
  public String basis() {
    return BASIS + calibration().name();
  }

  /** The time of a collective; empty where the model does not cover it. */
  Optional<NetworkTime> time(CollectiveCall call, Choice choice, boolean inPlace) {
    return call(call, choice, inPlace).map(model::time);
  }

  /** What of a collective determines its time; empty where the model does not cover it. */
  public Optional<NetworkCall> call(CollectiveCall call, Choice choice, boolean inPlace) {
    List<CallShape> shapes = calls.insideNodes(call, choice, inPlace);
    return shapes.stream()
        .map(shape -> inNode.inNode(shape, calls.communicator().facts().maxLocalRanks()))
        .reduce(NodeTime::slower)
        .map(node -> planner.call(choice.algorithm(), shapes.get(0), node));
  }

  /**
   * The time of sends and receives; empty where the model does not cover them.
   *
   * @param bytes size as nccl-tests counts it
   */
  public Optional<NetworkTime> time(PeerOperation operation, long bytes) {
    return planner.call(operation, bytes).map(model::time);
  }

  /** The port, or the links, that a call waits for; empty where it waits for something else. */
  Optional<String> fullLink(Prediction prediction) {
    return calls
        .choice(prediction.call(), Optional.of(prediction.pair()))
        .flatMap(choice -> time(prediction.call(), choice, false))
        .flatMap(
            time ->
                time.limit() == Limit.PORT
                    ? Optional.of(
                        "NIC " + planner.port(prediction.algorithm(), prediction.channels()).port())
                    : time.full());
  }
}
