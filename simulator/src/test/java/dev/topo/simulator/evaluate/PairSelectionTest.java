package dev.topo.simulator.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.evaluate.PredictedCall.PairSelection;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.fixture.TestJobs;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PairSelectionTest {
  private static final CallPredictor FOUR =
      TestJobs.predictor(TestJobs.on(TestJobs.measured("h200-x4")));

  private static PredictedCall predicted(long bytes, Optional<Algorithm> algorithm, boolean each) {
    PairSelection pairs = new PairSelection(algorithm, Optional.empty(), each);
    return PredictedCall.of(FOUR, TestJobs.allReduce(bytes), pairs);
  }

  @Test
  void eachShowsEveryPairAndMarksNcclsChoice() {
    PredictedCall each = predicted(64L << 20, Optional.empty(), true);
    assertEquals(
        List.of("Tree/LL", "Tree/LL128", "Tree/Simple", "Ring/LL", "Ring/LL128", "Ring/Simple"),
        each.shown().stream().map(CollectivePrediction::launchName).toList());
    assertEquals(1, each.shown().stream().filter(each::isChosen).count());
    PredictedCall rings = predicted(64L << 20, Optional.of(Algorithm.RING), true);
    assertEquals(each.shown().subList(3, 6), rings.shown());
  }

  @Test
  void anAlgorithmHasTheProtocolThatNcclBelievesToBeFastest() {
    PredictedCall tree = predicted(1L << 30, Optional.of(Algorithm.TREE), false);
    assertEquals(
        List.of(Protocol.SIMPLE),
        tree.shown().stream().map(CollectivePrediction::protocol).toList());
    assertFalse(tree.isChosen(tree.shown().get(0)));
  }
}
