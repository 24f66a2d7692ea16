package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.accuracy.RingSimulation.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RingSimulationTest {
  private static final double MEGABYTE = 1e6;

  /** Rings through a switch: link 2r leaves rank r, link 2r+1 enters it. */
  private static List<List<int[]>> switched(int channels, int ranks) {
    List<List<int[]>> rings = new ArrayList<>();
    for (int c = 0; c < channels; c++) {
      List<int[]> ring = new ArrayList<>();
      for (int r = 0; r < ranks; r++) {
        ring.add(new int[] {2 * r, 2 * ((r + 1) % ranks) + 1});
      }
      rings.add(ring);
    }
    return rings;
  }

  private static double[] capacity(int ranks, double gbps) {
    double[] capacity = new double[2 * ranks];
    Arrays.fill(capacity, gbps);
    return capacity;
  }

  /**
   * All at the same step: each step lasts what the slower of channel and its part of the link
   * needs.
   */
  @Test
  void equalRingsMakeEveryStepTogether() {
    List<Step> steps =
        List.of(new Step(30, true), new Step(20, true), new Step(10, true), new Step(50, false));
    for (int channels : new int[] {1, 4, 12, 24}) {
      double time =
          new RingSimulation(capacity(4, 360), switched(channels, 4), steps, 3, MEGABYTE).run();
      double link = 360.0 / channels;
      double expected =
          3
              * (1000 / Math.min(30, link)
                  + 1000 / Math.min(20, link)
                  + 1000 / Math.min(10, link)
                  + 1000 / 50.0);
      assertEquals(expected, time, 1e-6 * expected, channels + " channels");
    }
  }

  /** A slow hop anywhere holds up the whole ring, and no more than that. */
  @Test
  void theSlowestHopSetsThePace() {
    double[] capacity = capacity(4, 100);
    capacity[2] = 5;
    List<Step> steps = List.of(new Step(40, true), new Step(40, true), new Step(40, false));
    double time = new RingSimulation(capacity, switched(1, 4), steps, 50, MEGABYTE).run();
    double slow = 50 * 2 * 1000 / 5.0;
    assertTrue(time >= slow, time + " us");
    assertTrue(time <= slow * 1.2, time + " us");
  }

  /** Half of the links' time at most is lost to being in step. */
  @Test
  void neverFasterThanTheLinkAndNeverSlowerThanTheSum() {
    List<Step> steps = List.of(new Step(40, true), new Step(30, false));
    double time = new RingSimulation(capacity(2, 240), switched(24, 2), steps, 5, MEGABYTE).run();
    assertTrue(time >= 5 * 1000 / 10.0, time + " us");
    assertTrue(time <= 5 * (1000 / 10.0 + 1000 / 30.0) * (1 + 1e-9), time + " us");
  }
}
