package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.RandomCases;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.bound.GraphRate;
import dev.topo.search.bound.JobBounds;
import dev.topo.search.bound.OperationBound;
import dev.topo.search.bound.OperationBound.LinkScope;
import dev.topo.search.connect.Connection;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobRequest.CallContext;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.timing.TimeEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The bounds on the time of operations against what is predicted and what NCCL's graphs carry. */
class BoundReferenceTest {
  private static final List<Long> SIZES = List.of(1L << 20, 1L << 33);
  private static final double ROUNDING = 1e-6;

  private final List<String> beyond = new ArrayList<>();
  private final List<Double> shares = new ArrayList<>();
  private int predictions;

  @Test
  void noPredictionAndNoGraphExceedsTheBound() {
    List<ReferenceCase> all =
        Stream.concat(ReferenceSets.own().stream(), ReferenceSets.random().stream()).toList();
    int count = RandomCases.count(16, all.size());
    for (int i = 0; i < count; i++) {
      ReferenceCase one = all.get((int) ((long) i * all.size() / count));
      for (int nodes = 1; nodes <= 2; nodes++) {
        compare(one, nodes);
      }
    }
    assertEquals(List.of(), beyond);
    assertTrue(predictions > 20 * count, predictions + " predictions");
    List<Double> sorted = shares.stream().sorted().toList();
    System.out.printf(
        "bound: %d predictions of %d jobs within it; NCCL's graphs reach %.0f %% of it (median)%n",
        predictions, shares.size(), 100 * sorted.get(sorted.size() / 2));
  }

  /**
   * The model of the network counts the two ports of the root's node, but all data enters the root
   * over one PCI link.
   */
  @Test
  void aPredictionBetweenNodesIsAtLeastTheBound() {
    ReferenceCase one =
        ReferenceSets.own().stream()
            .filter(machine -> machine.name().equals("l40s-8-switched"))
            .findFirst()
            .orElseThrow();
    CallPredictor predictor = predictor(one, 2);
    PeerPrediction gather =
        PeerPredictor.of(predictor)
            .flatMap(peers -> peers.predict(PeerOperation.GATHER, 1L << 33, false))
            .orElseThrow();
    OperationBound bound =
        new JobBounds(predictor.planner().communicator().connection(), LinkScope.PATHS)
            .bound(PeerOperation.GATHER)
            .orElseThrow();
    double share = gather.timeUs() / bound.timeUs(1L << 33);
    assertTrue(share >= 1 && share < 1.2, "%s of the bound".formatted(share));
    assertEquals(TimeEstimate.Bottleneck.LINKS, gather.estimate().bottleneck());
  }

  /** Kernels for symmetric windows were measured behind an NVSwitch only. */
  @Test
  void aPredictionOnSymmetricWindowsIsAtLeastTheBound() {
    ReferenceCase one =
        ReferenceSets.own().stream()
            .filter(machine -> machine.name().equals("rtx4090-2"))
            .findFirst()
            .orElseThrow();
    JobRequest request =
        JobRequest.of(Job.ofEqual(new Machine(one.topology(), NcclSettings.DEFAULTS), 1), List.of())
            .withContext(CallContext.USUAL.withBuffers(Buffers.SYMMETRIC));
    CallPredictor predictor =
        new JobEvaluator(one.graphs(), new Inputs()).evaluate(request).predictor();
    CollectivePrediction gather =
        predictor.predict(CollectiveCall.of(Collective.ALL_GATHER, 1L << 30), false).orElseThrow();
    assertTrue(gather.kernel().isPresent());
    // Half of the data at NCCL's 12 GB/s of PCI 3.0 x16, which carries 15.75.
    assertTrue(gather.timeUs() >= (1L << 29) / 12e3, gather.timeUs() + " us");
  }

  private static CallPredictor predictor(ReferenceCase one, int nodes) {
    Job job = Job.ofEqual(new Machine(one.topology(), NcclSettings.DEFAULTS), nodes);
    return new JobEvaluator(one.graphs(), new Inputs())
        .evaluate(JobRequest.of(job, List.of()))
        .predictor();
  }

  private void compare(ReferenceCase one, int nodes) {
    CallPredictor predictor;
    try {
      predictor = predictor(one, nodes);
    } catch (UnusableTopologyException e) {
      return;
    }
    Connection connection = predictor.planner().communicator().connection();
    JobBounds bounds = new JobBounds(connection, LinkScope.PATHS);
    Optional<PeerPredictor> peers = PeerPredictor.of(predictor);
    for (Operation operation : Operation.all()) {
      Optional<OperationBound> bound = bounds.bound(operation);
      for (long bytes : SIZES) {
        for (double timeUs : times(predictor, peers, operation, bytes)) {
          predictions++;
          if (bound.isPresent() && bound.get().share(bytes, timeUs) > 1 + ROUNDING) {
            beyond.add("%s x %d, %s of %d".formatted(one.name(), nodes, operation, bytes));
          }
        }
      }
    }
    bounds.bound(Collective.ALL_REDUCE).ifPresent(bound -> addShare(one, connection, bound));
  }

  private static List<Double> times(
      CallPredictor predictor, Optional<PeerPredictor> peers, Operation operation, long bytes) {
    return operation instanceof Collective collective
        ? predictor.predictEach(CollectiveCall.of(collective, bytes), false).stream()
            .map(CollectivePrediction::timeUs)
            .toList()
        : peers
            .flatMap(one -> one.predict((PeerOperation) operation, bytes, false))
            .map(PeerPrediction::timeUs)
            .stream()
            .toList();
  }

  private void addShare(ReferenceCase one, Connection connection, OperationBound bound) {
    GraphRate rates = new GraphRate(connection.domain(0), connection.nNodes());
    double share =
        Stream.of(GraphKind.RING, GraphKind.TREE, GraphKind.NVLS)
            .map(kind -> connection.searchedGraphs(0).get(kind))
            .flatMap(
                graph ->
                    rates.algbwGBps(graph, Collective.ALL_REDUCE, connection.nRanks()).stream())
            .mapToDouble(algbw -> algbw / bound.algbwGBps())
            .max()
            .orElse(0);
    shares.add(share);
    if (share > 1 + ROUNDING) {
      beyond.add("graphs of %s x %d: %f".formatted(one.name(), connection.nNodes(), share));
    }
  }
}
