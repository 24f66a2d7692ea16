package dev.topo.simulator.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FullestLinkTest {
  /** Every way to put so many flows on so many links. */
  @ParameterizedTest
  @CsvSource({"1,8", "2,2", "3,3", "6,4", "7,2", "5,6"})
  void countsEveryAssignment(int flows, int links) {
    int[] byFullest = new int[flows + 1];
    int all = (int) Math.pow(links, flows);
    for (int code = 0; code < all; code++) {
      int[] onLink = new int[links];
      for (int f = 0, rest = code; f < flows; f++, rest /= links) {
        onLink[rest % links]++;
      }
      byFullest[Arrays.stream(onLink).max().orElseThrow()]++;
    }
    FullestLink fullest = new FullestLink(flows, links);
    int sum = 0;
    for (int most = 0; most <= flows; most++) {
      sum += byFullest[most];
      assertEquals(sum / (double) all, fullest.atMost(most), 1e-9, "at most " + most);
    }
  }

  /** Many flows, whose links count as independent: the mean of random assignments. */
  @ParameterizedTest
  @CsvSource({"257,4", "400,64", "3000,32", "1000,512"})
  void manyFlowsAreNearlyExact(int flows, int links) {
    Random random = new Random(flows);
    int runs = 4000;
    double mean = 0;
    for (int run = 0; run < runs; run++) {
      int[] onLink = new int[links];
      for (int f = 0; f < flows; f++) {
        onLink[random.nextInt(links)]++;
      }
      mean += Arrays.stream(onLink).max().orElseThrow() / (double) runs;
    }
    UplinkLoad load =
        UplinkLoad.slowestOf(
            List.of(new UplinkLoad.Uplink("leaf", flows, links, flows / 1000.0)), "");
    assertEquals(mean, load.psPerByte(0) * 1000 / links, 0.02 * mean);
  }

  @Test
  void aSingleFlowHasOneLink() {
    UplinkLoad load = UplinkLoad.slowestOf(List.of(new UplinkLoad.Uplink("leaf", 1, 8, 10)), "");
    assertEquals(80, load.psPerByte(0), 1e-9);
  }

  @Test
  void twoFlowsMeetEveryOtherTime() {
    UplinkLoad load = UplinkLoad.slowestOf(List.of(new UplinkLoad.Uplink("leaf", 2, 2, 10)), "");
    assertEquals(15, load.psPerByte(0), 0.1);
    assertEquals(10, load.at(0.05).psPerByte(0), 0.1);
    assertEquals(20, load.at(0.95).psPerByte(0), 0.1);
    assertEquals(17.5, load.psPerByte(15), 0.1, "half of the calls wait for something else");
    assertEquals(30, load.psPerByte(30), "a port that is slower");
  }

  /** The more uplinks there are, the more likely one of them is full. */
  @Test
  void theSlowestOfManyUplinksCounts() {
    UplinkLoad.Uplink uplink = new UplinkLoad.Uplink("leaf", 2, 2, 10);
    double one = UplinkLoad.slowestOf(List.of(uplink), "").psPerByte(0);
    double four = UplinkLoad.slowestOf(List.of(uplink, uplink, uplink, uplink), "").psPerByte(0);
    assertEquals(10 + 10 * (1 - Math.pow(0.5, 4)), four, 0.1);
    assertTrue(four > one);
  }
}
