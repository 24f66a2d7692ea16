package dev.topo.property;

import dev.topo.model.fixture.RandomCases;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The cases of each property. */
final class Cases {
  private static final int COUNT = RandomCases.count(100, 1_500);
  private static final long SEED = Long.getLong("test.seed", 1);

  private Cases() {}

  /** All of them. */
  static Stream<DrawnJob> all() {
    return every(1);
  }

  /** Every n-th, for what takes longer; at least one. */
  static Stream<DrawnJob> every(int n) {
    return LongStream.range(0, (COUNT + n - 1) / n).mapToObj(i -> DrawnJob.of(SEED + n * i));
  }
}
