package dev.topo.hw.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.hw.run.RunCollective.Extent;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is run has the elements that are predicted. */
class RunCollectiveTest {
  private static final long SEED = Long.getLong("test.seed", 1);
  private static final int CASES = Integer.getInteger("test.iters", 10_000);

  private static Call call(Operation operation, long bytes, DataType type) {
    return operation instanceof Collective collective
        ? CollectiveCall.of(collective, bytes, type, ReductionOperator.SUM)
        : new PeerCall((PeerOperation) operation, bytes, type);
  }

  @Test
  void sizesAreRoundedAsThoseOfPredictedCalls() {
    List<RunCollective> all =
        List.of(RunCollective.values()).stream()
            .filter(one -> one != RunCollective.ALLTOALLV)
            .toList();
    Random random = new Random(SEED);
    for (int i = 0; i < CASES; i++) {
      RunCollective collective = all.get(random.nextInt(all.size()));
      DataType type = DataType.values()[random.nextInt(DataType.values().length)];
      int ranks = 1 + random.nextInt(40);
      long bytes = 1 + random.nextLong(1L << 1 + random.nextInt(40));
      Call call = call(collective.operation(), bytes, type);
      Extent extent = collective.extent(bytes, type.sizeBytes(), ranks);
      assertEquals(
          Math.max(extent.sendCount(), extent.receiveCount()) * type.sizeBytes(),
          call.wholeBytes(ranks),
          "%s, %s, %d ranks, seed %d".formatted(call, type, ranks, SEED));
      assertEquals(extent.count() == 0, call.emptiness(ranks).isPresent(), call.toString());
    }
  }
}
