package dev.topo.simulator.peer;

import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.CallPlanner;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import dev.topo.simulator.calibration.NodeCosts;
import dev.topo.simulator.timing.TimingModel;
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
  private Optional<PeerShapeFinder> shapes = Optional.empty();

  /** A predictor of the calls of a communicator, with the constants of a model. */
  public PeerPredictor(CallPlanner planner, TimingModel model, NodeCosts costs) {
    this.planner = planner;
    this.model = model;
    this.times = new PeerTime(model, costs);
  }

  /** A predictor beside that of collectives; empty where that has no measured constants. */
  public static Optional<PeerPredictor> of(Predictor collectives) {
    return collectives
        .calibration()
        .map(
            calibration ->
                new PeerPredictor(collectives.planner(), collectives.model(), NodeCosts.shipped()));
  }

  /** What a call with equal parts takes; empty between nodes, and if nothing is sent. */
  public Optional<PeerPrediction> predict(
      PeerOperation operation, long sizeBytes, boolean inPlace) {
    int nRanks = planner.communicator().facts().nRanks();
    if (operation == PeerOperation.HYPERCUBE || nRanks < 2) {
      return Optional.empty();
    }
    PeerTraffic traffic = PeerTraffic.of(operation, sizeBytes, nRanks, inPlace);
    return predict(operation, sizeBytes, traffic);
  }

  /** What a call with any traffic takes. */
  public Optional<PeerPrediction> predict(
      PeerOperation operation, long sizeBytes, PeerTraffic traffic) {
    if (planner.routes().isEmpty()) {
      return Optional.empty();
    }
    PeerShapeFinder finder = shapes.orElseGet(() -> new PeerShapeFinder(planner));
    shapes = Optional.of(finder);
    return finder
        .shape(traffic)
        .map(
            shape ->
                new PeerPrediction(
                    operation,
                    sizeBytes,
                    traffic.busiestBytes(),
                    shape.protocol(),
                    shape.channels(),
                    times.estimate(shape),
                    spread(sizeBytes),
                    planner.routes().flatMap(routes -> routes.busiestOf(traffic::bytes)),
                    traffic.nRanks() > NodeCosts.MEASURED_GPUS));
  }

  /** Whether the ratios were measured on the kind of machine of the calibration. */
  public boolean isMeasured() {
    return model.calibration().measuredOn().machines().contains(NodeCosts.shipped().machine());
  }

  private OptionalDouble spread(long bytes) {
    if (planner.context().groups() > 1) {
      return OptionalDouble.empty();
    }
    return KnownSpread.of(
            model.calibration().name() + KnownSpread.PEER,
            Launch.of(planner.gpusPerProcess(), NodeCosts.MEASURED_GPUS),
            bytes)
        .map(known -> OptionalDouble.of(known.part()))
        .orElse(OptionalDouble.empty());
  }
}
