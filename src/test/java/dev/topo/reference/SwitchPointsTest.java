package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.SizeRange;
import dev.topo.search.tuning.SwitchPoints;
import dev.topo.search.tuning.Tuner;
import dev.topo.search.tuning.Tuner.Decision;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Ranges of sizes against a choice for each of many sizes, on all machines of the project. */
class SwitchPointsTest {
  private static final long MAX_BYTES = 1L << 33;

  /** Where two times are equal but for rounding, NCCL may go to and fro this far. */
  private static final long ROUNDING_BYTES = 2048;

  private static final int SAMPLES = 10;
  private static final long SEED = Long.getLong("test.seed", 20260101);

  private int ranges;
  private int samples;
  private int between;

  @Test
  void everyRangeHoldsAndEveryBoundIsASwitch() {
    Random random = new Random(SEED);
    for (ReferenceCase machine : ReferenceSets.own()) {
      for (int machines : new int[] {1, 4}) {
        Tuner tuner =
            Communicator.of(
                    Job.ofEqual(new Machine(machine.topology(), NcclSettings.DEFAULTS), machines))
                .tuner();
        for (Collective collective : Collective.values()) {
          check(tuner, CollectiveCall.of(collective, 0L).exact(), random);
        }
      }
    }
    System.out.println(
        "switch points own: %d ranges, %d of %d sizes agree, %d within rounding of a switch"
            .formatted(ranges, samples - between, samples, between));
  }

  private void check(Tuner tuner, CollectiveCall call, Random random) {
    List<SizeRange> found = new SwitchPoints(tuner).ranges(call, 8, MAX_BYTES);
    ranges += found.size();
    assertEquals(8, found.get(0).minBytes());
    assertEquals(MAX_BYTES, found.get(found.size() - 1).maxBytes());
    for (int r = 0; r < found.size(); r++) {
      SizeRange range = found.get(r);
      if (r > 0) {
        assertEquals(found.get(r - 1).maxBytes() + 1, range.minBytes());
        assertNotEquals(key(tuner, call, range.minBytes() - 1), key(tuner, call, range.minBytes()));
      }
      for (int s = 0; s < SAMPLES; s++) {
        long size =
            range.minBytes() + (long) (random.nextDouble() * (range.maxBytes() - range.minBytes()));
        check(tuner, call, range, size);
      }
    }
  }

  private void check(Tuner tuner, CollectiveCall call, SizeRange range, long size) {
    samples++;
    if (!key(tuner, call, size).equals(key(tuner, call, range.minBytes()))) {
      between++;
      long distance = Math.min(size - range.minBytes(), range.maxBytes() - size);
      assertTrue(
          distance <= ROUNDING_BYTES,
          () -> call + " at " + size + " in " + range + " seed " + SEED);
    }
  }

  private static Optional<List<Object>> key(Tuner tuner, CollectiveCall call, long size) {
    Decision decision = tuner.decide(call.withSize(size));
    return decision
        .choice()
        .map(c -> List.of(c.algorithm(), c.protocol(), c.channels(), c.threads()));
  }
}
