package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FairShareTest {
  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

  @Test
  void equalFlowsGetEqualParts() {
    double[] rates =
        new FairShare(new double[] {12})
            .rates(List.of(new int[] {0}, new int[] {0}, new int[] {0}), limits(3, NO_LIMIT));
    assertArrayEquals(new double[] {4, 4, 4}, rates, 1e-9);
  }

  @Test
  void whatOneCannotUseGoesToTheOthers() {
    double[] rates =
        new FairShare(new double[] {12})
            .rates(
                List.of(new int[] {0}, new int[] {0}, new int[] {0}),
                new double[] {2, NO_LIMIT, NO_LIMIT});
    assertArrayEquals(new double[] {2, 5, 5}, rates, 1e-9);
  }

  /** The line of the textbook: one flow over both links, one on each. */
  @Test
  void theLongFlowGetsWhatItsBusiestLinkHas() {
    double[] rates =
        new FairShare(new double[] {10, 4})
            .rates(List.of(new int[] {0, 1}, new int[] {0}, new int[] {1}), limits(3, NO_LIMIT));
    assertArrayEquals(new double[] {2, 8, 2}, rates, 1e-9);
  }

  /**
   * By definition: no link is over-full, and every flow has a full link on which none gets more.
   */
  @Test
  void everyFlowHasABottleneck() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      double[] capacity = random.doubles(6, 1, 20).toArray();
      List<int[]> flows = new ArrayList<>();
      for (int f = 0; f < 8; f++) {
        flows.add(random.ints(0, 6).distinct().limit(1 + random.nextInt(3)).toArray());
      }
      double[] rates = new FairShare(capacity).rates(flows, limits(8, NO_LIMIT));
      double[] used = new double[capacity.length];
      for (int f = 0; f < 8; f++) {
        for (int link : flows.get(f)) {
          used[link] += rates[f];
        }
      }
      for (int link = 0; link < used.length; link++) {
        assertTrue(used[link] <= capacity[link] * (1 + 1e-9), "seed " + seed);
      }
      for (int f = 0; f < 8; f++) {
        boolean bottleneck = false;
        for (int link : flows.get(f)) {
          double most = 0;
          for (int other = 0; other < 8; other++) {
            int here = link;
            if (Arrays.stream(flows.get(other)).anyMatch(l -> l == here)) {
              most = Math.max(most, rates[other]);
            }
          }
          bottleneck |= used[link] >= capacity[link] * (1 - 1e-6) && rates[f] >= most * (1 - 1e-6);
        }
        assertTrue(bottleneck, "seed " + seed + " flow " + f);
      }
      assertClosedFormOfTheSlowest(capacity, flows, rates, seed);
    }
  }

  /** What {@code ChannelRoutes} reckons with. */
  private static void assertClosedFormOfTheSlowest(
      double[] capacity, List<int[]> flows, double[] rates, int seed) {
    double slowest = NO_LIMIT;
    for (int link = 0; link < capacity.length; link++) {
      int here = link;
      long users =
          flows.stream().filter(flow -> Arrays.stream(flow).anyMatch(l -> l == here)).count();
      if (users > 0) {
        slowest = Math.min(slowest, capacity[link] / users);
      }
    }
    assertEquals(slowest, Arrays.stream(rates).min().orElseThrow(), 1e-9, "seed " + seed);
  }

  private static double[] limits(int flows, double limit) {
    double[] limits = new double[flows];
    Arrays.fill(limits, limit);
    return limits;
  }
}
