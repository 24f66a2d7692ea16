package dev.topo.simulator.timing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.connect.BufferSizes;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.timing.CallShape.Contention;
import dev.topo.simulator.timing.CallShape.TrafficRoute;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TimingModelTest {
  private static final double LINK_GBPS = 370.8;
  private static final TimingModel MODEL = new TimingModel(Calibration.typical());
  private static final BufferSizes BUFFERS =
      BufferSizes.of(NcclProfile.DEFAULT, NcclSettings.DEFAULTS, false, true, 0);

  private static Contention hops(int channels) {
    return new Contention(channels / LINK_GBPS * 1000, 0, false, false);
  }

  private static CallShape call(
      Collective collective,
      Algorithm algorithm,
      Protocol protocol,
      int nRanks,
      int channels,
      long shareBytes) {
    return call(collective, algorithm, protocol, nRanks, channels, shareBytes, DataType.FLOAT32);
  }

  private static CallShape call(
      Collective collective,
      Algorithm algorithm,
      Protocol protocol,
      int nRanks,
      int channels,
      long shareBytes,
      DataType type) {
    TrafficRoute route = TrafficRoute.ring(hops(channels));
    if (algorithm == Algorithm.TREE) {
      int hops = 2 * (nRanks - 1);
      route = new TrafficRoute(Collections.nCopies(hops, hops(channels)), hops(2 * channels));
    }
    return new CallShape(
        collective,
        algorithm,
        protocol,
        false,
        nRanks,
        nRanks,
        channels,
        544,
        shareBytes,
        Chunking.chunkBytes(collective, algorithm, protocol, shareBytes, 1, nRanks, BUFFERS),
        route,
        false,
        type);
  }

  /** Kernels without launches. */
  private static double kernelUs(Collective collective, Protocol protocol, DataType type) {
    return MODEL
        .kernel(call(collective, Algorithm.RING, protocol, 4, 24, 1 << 16, type))
        .totalUs(0);
  }

  /** As published runs of four generations show it. */
  @ParameterizedTest
  @EnumSource(
      value = Collective.class,
      names = {"ALL_REDUCE", "REDUCE_SCATTER"})
  void reducingNumbersOfOneByteTakesLongerBySimpleAndLl(Collective collective) {
    for (Protocol protocol : Protocol.values()) {
      double half = kernelUs(collective, protocol, DataType.FLOAT16);
      double int8 = kernelUs(collective, protocol, DataType.INT8);
      if (protocol == Protocol.LL128) {
        assertEquals(half, int8, 1e-9);
      } else {
        assertTrue(int8 > 1.005 * half, protocol + ": " + int8 + " and " + half);
      }
    }
    assertEquals(
        kernelUs(collective, Protocol.LL, DataType.FLOAT32),
        kernelUs(collective, Protocol.LL, DataType.FLOAT16),
        1e-9);
    StepCosts simple = StepCosts.of(Calibration.typical(), Protocol.SIMPLE);
    assertEquals(
        simple.int8Us() - simple.halfUs(),
        StepCosts.of(Calibration.typical(), Protocol.LL).int8Us(),
        1e-15,
        "with LL only what one byte costs beyond two");
    assertEquals(
        kernelUs(Collective.ALL_GATHER, Protocol.LL, DataType.FLOAT16),
        kernelUs(Collective.ALL_GATHER, Protocol.LL, DataType.INT8),
        1e-9);
  }

  private static double timeUs(Collective collective, Protocol protocol, int n, int c, long share) {
    return MODEL.estimate(call(collective, Algorithm.RING, protocol, n, c, share)).timeUs();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void takesLongerForMoreBytes(Protocol protocol) {
    for (Collective collective : Collective.values()) {
      double before = 0;
      for (long share = 1; share < 1L << 31; share += 1 + share / 3) {
        double now = timeUs(collective, protocol, 4, 24, share);
        assertTrue(now >= before * 0.9999, collective + " " + protocol + " at " + share);
        before = now;
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Collective.class)
  void busbwStaysBelowTheLink(Collective collective) {
    for (Protocol protocol : Protocol.values()) {
      for (int nRanks : new int[] {2, 4, 8}) {
        for (int channels : new int[] {1, 8, 24}) {
          long share = 1L << 26;
          long parts =
              collective == Collective.ALL_GATHER || collective == Collective.REDUCE_SCATTER
                  ? nRanks
                  : 1;
          double busbw =
              collective.busbwGBps(
                  share * channels * parts,
                  timeUs(collective, protocol, nRanks, channels, share),
                  nRanks);
          assertTrue(busbw < LINK_GBPS, collective + " " + protocol + " " + nRanks + ": " + busbw);
        }
      }
    }
  }

  @Test
  void smallCallsWaitForTheLaunchOfEveryGpu() {
    TimeEstimate small =
        MODEL.estimate(call(Collective.BROADCAST, Algorithm.RING, Protocol.LL, 4, 1, 8));
    assertEquals(Bottleneck.LAUNCH, small.bottleneck());
    double perGpu = Calibration.typical().value(Constant.LAUNCH_PER_GPU);
    double two =
        MODEL.estimate(call(Collective.BROADCAST, Algorithm.RING, Protocol.LL, 2, 1, 8)).launchUs();
    assertEquals(2 * perGpu, small.launchUs() - two, 0.1);
  }

  @Test
  void manyChannelsFillTheLinkAndOneIsLimitedByItself() {
    long share = 1L << 28;
    assertEquals(
        Bottleneck.LINKS,
        MODEL
            .estimate(call(Collective.REDUCE, Algorithm.RING, Protocol.SIMPLE, 4, 24, share))
            .bottleneck());
    assertEquals(
        Bottleneck.CHANNELS,
        MODEL
            .estimate(call(Collective.REDUCE, Algorithm.RING, Protocol.SIMPLE, 4, 1, share))
            .bottleneck());
  }

  @Test
  void partsOfAKernelAddUp() {
    for (Algorithm algorithm : new Algorithm[] {Algorithm.RING, Algorithm.TREE}) {
      for (Protocol protocol : Protocol.values()) {
        TimeEstimate estimate =
            MODEL.estimate(call(Collective.ALL_REDUCE, algorithm, protocol, 4, 24, 1 << 22));
        assertEquals(
            estimate.kernelUs(), estimate.timeUs(), 0.001 * estimate.timeUs(), "" + protocol);
      }
    }
  }

  /** What a replayed kernel takes. */
  private static double replayUs(
      Collective collective, Protocol protocol, int threads, long share, boolean registered) {
    CallShape launched = call(collective, Algorithm.RING, protocol, 4, 1, share);
    return MODEL
        .estimate(
            new CallShape(
                collective,
                Algorithm.RING,
                protocol,
                false,
                4,
                0,
                1,
                threads,
                share,
                launched.chunkBytes(),
                launched.route(),
                registered,
                DataType.FLOAT32))
        .timeUs();
  }

  @Test
  void moreThreadsStartLater() {
    double perThread = Calibration.typical().value(Constant.KERNEL_PER_THREAD_SIMPLE);
    assertEquals(
        448 * perThread * 1e-3,
        replayUs(Collective.REDUCE, Protocol.SIMPLE, 544, 0, false)
            - replayUs(Collective.REDUCE, Protocol.SIMPLE, 96, 0, false),
        1e-9);
    assertEquals(
        replayUs(Collective.REDUCE, Protocol.LL, 512, 0, false),
        replayUs(Collective.REDUCE, Protocol.LL, 96, 0, false));
  }

  @Test
  void fewThreadsMoveDataSlower() {
    for (Protocol protocol : Protocol.values()) {
      double few = replayUs(Collective.ALL_REDUCE, protocol, 96, 1 << 24, false);
      double more = replayUs(Collective.ALL_REDUCE, protocol, 288, 1 << 24, false);
      double all = replayUs(Collective.ALL_REDUCE, protocol, 640, 1 << 24, false);
      assertTrue(few > 1.3 * more && more > 1.05 * all, protocol + " " + few + " " + more);
    }
  }

  @Test
  void theFirstEightBytesOfEachThreadAreFreeByLl() {
    double one = replayUs(Collective.BROADCAST, Protocol.LL, 512, 1, false);
    assertEquals(one, replayUs(Collective.BROADCAST, Protocol.LL, 512, 4096, false), 1e-9);
    assertTrue(one < replayUs(Collective.BROADCAST, Protocol.LL, 512, 8192, false));
  }

  @Test
  void registeredBuffersCostAtFirstAndSaveCopies() {
    double registered = Calibration.typical().value(Constant.KERNEL_REGISTERED);
    double small =
        replayUs(Collective.ALL_GATHER, Protocol.SIMPLE, 544, 16, true)
            - replayUs(Collective.ALL_GATHER, Protocol.SIMPLE, 544, 16, false);
    assertEquals(registered, small, 0.01);
    assertTrue(
        replayUs(Collective.ALL_GATHER, Protocol.SIMPLE, 544, 1 << 24, true)
            < replayUs(Collective.ALL_GATHER, Protocol.SIMPLE, 544, 1 << 24, false));
    assertTrue(
        replayUs(Collective.BROADCAST, Protocol.SIMPLE, 544, 1 << 18, true)
            > replayUs(Collective.BROADCAST, Protocol.SIMPLE, 544, 1 << 18, false));
    for (Collective other : List.of(Collective.REDUCE, Collective.REDUCE_SCATTER)) {
      assertEquals(
          replayUs(other, Protocol.SIMPLE, 544, 1 << 18, false),
          replayUs(other, Protocol.SIMPLE, 544, 1 << 18, true));
    }
    assertEquals(
        replayUs(Collective.ALL_GATHER, Protocol.LL128, 640, 1 << 18, false),
        replayUs(Collective.ALL_GATHER, Protocol.LL128, 640, 1 << 18, true));
  }

  @Test
  void aRoundOfEqualStepsNeverBeatsTheLinkAlone() {
    CallShape shape = call(Collective.ALL_REDUCE, Algorithm.RING, Protocol.SIMPLE, 4, 24, 1L << 28);
    double link = 6 * (1L << 28) / 4.0 * 24 / LINK_GBPS * 1e-3;
    assertTrue(MODEL.estimate(shape).transferUs() >= link);
  }

  /** The size leaves each GPU to be reduced, and an n-th of it to be copied to the others. */
  @Test
  void byNvlsLinksCarryOneNthMoreThanTheSize() {
    double efficiency = Calibration.typical().value(Constant.NVLS_EFFICIENCY);
    for (int nRanks : new int[] {2, 4, 8}) {
      CallShape shape = byNvls(nRanks, 512, 1L << 24, nRanks << 17);
      double bytes = 512.0 * (1 << 24) * (1 + 1.0 / nRanks);
      double linksUs = bytes / (LINK_GBPS * 1e3 * efficiency);
      double us = MODEL.estimate(shape).kernelUs();
      assertTrue(us > linksUs && us < 1.01 * linksUs, us + ", on links " + linksUs);
    }
  }

  /**
   * AllReduce of half on eight H100: medians of AI Configurator (see NOTICE), which the formula
   * follows with a step of 6.45 us and 397 ps for each byte of a head's chunk.
   */
  @Test
  void nvlsIsAPipelineOfStepsThatEachMoveAChunkOfEveryHead() {
    NvlsTime nvls = new NvlsTime(6.45, 397e-6 / 8, 0.86, 60, 0.8);
    for (double[] row :
        new double[][] {{2, 16, 38.6}, {4, 16, 50.4}, {8, 32, 79.2}, {64, 64, 323}}) {
      CallShape shape = byNvls(8, 16, ((long) row[0] << 20) / 16, 8 * ((int) row[1] << 10));
      double us = nvls.fillUs(shape) + nvls.kernel(shape).totalUs(0);
      assertEquals(row[2], us, 0.03 * row[2], row[0] + " MiB");
    }
  }

  @Test
  void moreChannelsAndLargerChunksOfNvlsAreNotSlower() {
    long bytes = 1L << 30;
    for (int channels = 1; channels < 32; channels++) {
      double fewer = MODEL.estimate(byNvls(8, channels, bytes / channels, 1 << 20)).timeUs();
      double more =
          MODEL.estimate(byNvls(8, channels + 1, bytes / (channels + 1), 1 << 20)).timeUs();
      assertTrue(more <= 1.02 * fewer, channels + " channels: " + fewer + ", one more: " + more);
    }
    double one = MODEL.estimate(byNvls(8, 1, bytes, 1 << 20)).timeUs();
    assertTrue(one > 10 * MODEL.estimate(byNvls(8, 16, bytes / 16, 1 << 20)).timeUs());
    for (int chunk = 1 << 14; chunk < 1 << 20; chunk *= 2) {
      double small = MODEL.estimate(byNvls(8, 16, bytes / 16, chunk)).timeUs();
      double large = MODEL.estimate(byNvls(8, 16, bytes / 16, 2 * chunk)).timeUs();
      assertTrue(large <= small, chunk + " bytes: " + small + ", twice as many: " + large);
    }
  }

  private static CallShape byNvls(int nRanks, int channels, long shareBytes, int stepBytes) {
    return new CallShape(
        Collective.ALL_REDUCE,
        Algorithm.NVLS,
        Protocol.SIMPLE,
        false,
        nRanks,
        1,
        channels,
        640,
        shareBytes,
        stepBytes,
        TrafficRoute.ring(hops(1)),
        false,
        DataType.FLOAT32);
  }

  @Test
  void whatIsNotCoveredIsRefused() {
    assertFalse(CallShape.isCovered(Collective.ALL_GATHER, Algorithm.NVLS));
    assertFalse(CallShape.isCovered(Collective.ALL_REDUCE, Algorithm.NVLS_TREE));
    assertFalse(CallShape.isCovered(Collective.BROADCAST, Algorithm.TREE));
    assertThrows(
        IllegalArgumentException.class,
        () -> call(Collective.ALL_GATHER, Algorithm.NVLS, Protocol.SIMPLE, 4, 1, 1));
  }

  /** Sizes by {@code calcCollChunking} with the default buffers. */
  @Test
  void chunksAreThoseOfNccl() {
    assertEquals(
        List.of(32_768, 576_000, 2_097_152),
        chunks(Collective.ALL_REDUCE, Algorithm.RING, 1 << 28));
    assertEquals(
        List.of(32_768, 576_000, 524_288), chunks(Collective.REDUCE, Algorithm.RING, 1 << 28));
    assertEquals(
        List.of(32_768, 576_000, 524_288), chunks(Collective.ALL_REDUCE, Algorithm.TREE, 1 << 28));
    assertEquals(
        List.of(32_768, 71_040, 524_288), chunks(Collective.ALL_REDUCE, Algorithm.TREE, 2_801_664));
  }

  private static List<Integer> chunks(Collective collective, Algorithm algorithm, long share) {
    return Arrays.stream(Protocol.values())
        .map(p -> Chunking.chunkBytes(collective, algorithm, p, share, 1, 4, BUFFERS))
        .toList();
  }
}
