package dev.topo.simulator.timing;

import dev.topo.model.operation.Collective;
import dev.topo.simulator.timing.CallShape.Contention;
import dev.topo.simulator.timing.StepCosts.PrimitiveCosts;
import dev.topo.simulator.timing.TimeEstimate.KernelTime;
import dev.topo.simulator.timing.TimeEstimate.Overlap;
import java.util.List;

/**
 * Time of AllReduce, AllGather and ReduceScatter on a ring. Every channel works in rounds; in each
 * round, the data of every rank makes all its steps around the ring ({@code runRing} in {@code
 * nccl:src/device/all_reduce.h}, {@code all_gather.h} and {@code reduce_scatter.h}).
 *
 * <p>Channels that start together are at the same step: links are idle while all channels copy
 * inside the GPU. Later the channels have drifted apart, and the work of links and channels
 * overlaps.
 */
final class RingTime {
  /** Step that occurs {@code times} times in a round, with the time of the channel per byte. */
  private record Step(double usPerByte, int times, boolean receives, boolean sends) {
    static Step first(double usPerByte) {
      return new Step(usPerByte, 1, false, true);
    }

    static Step middle(double usPerByte, int times) {
      return new Step(usPerByte, times, true, true);
    }

    static Step last(double usPerByte) {
      return new Step(usPerByte, 1, true, false);
    }
  }

  private record Round(
      double inStepUs, double waitingUs, double driftedUs, double channelsUs, double linksUs) {}

  private final CallShape shape;
  private final StepCosts costs;
  private final Contention hops;
  private final double linkUsPerByte;
  private final List<Step> steps;
  private final int sends;

  private double waitingUs;
  private double transferUs;
  private double channelsUs;
  private double linksUs;

  private RingTime(CallShape shape, StepCosts costs) {
    this.shape = shape;
    this.costs = costs;
    this.hops = shape.route().together();
    this.linkUsPerByte = costs.linkUsPerByte(hops);
    PrimitiveCosts primitives = BlockPace.of(shape, costs.primitives(shape));
    this.steps = steps(shape, shape.writesDirectly() ? primitives.written() : primitives);
    this.sends = sends(steps);
  }

  /** A loop, not a stream: a fit creates millions of these objects. */
  private static int sends(List<Step> steps) {
    int sends = 0;
    for (Step step : steps) {
      sends += step.sends ? step.times : 0;
    }
    return sends;
  }

  static KernelTime of(CallShape shape, StepCosts costs) {
    return new RingTime(shape, costs).time();
  }

  private static List<Step> steps(CallShape shape, PrimitiveCosts costs) {
    int between = shape.nRanks() - 2;
    return switch (shape.collective()) {
      case ALL_REDUCE ->
          List.of(
              Step.first(costs.send()),
              Step.middle(costs.recvReduceSend(), between),
              Step.middle(costs.recvReduceCopySend(), 1),
              Step.middle(costs.recvCopySend(), between),
              Step.last(costs.recv()));
      case ALL_GATHER ->
          List.of(
              Step.first(costs.first(!shape.inPlace())),
              Step.middle(costs.recvCopySend(), between),
              Step.last(costs.recv()));
      case REDUCE_SCATTER ->
          List.of(
              Step.first(costs.send()),
              Step.middle(costs.recvReduceSend(), between),
              Step.last(costs.recvReduceCopy()));
      case BROADCAST, REDUCE ->
          throw new IllegalArgumentException(shape.collective() + " is a pipeline");
    };
  }

  private KernelTime time() {
    int parts = shape.collective() == Collective.ALL_REDUCE ? shape.nRanks() : 1;
    double roundBytes = (double) shape.chunkBytes() * parts;
    double fullRounds = Math.floor(shape.shareBytes() / roundBytes);
    double lastChunkBytes = Math.ceil((shape.shareBytes() - fullRounds * roundBytes) / parts);
    if (fullRounds > 0) {
      add(0, fullRounds, shape.chunkBytes());
    }
    if (lastChunkBytes > 0) {
      add(fullRounds, 1, lastChunkBytes);
    }
    return new KernelTime(waitingUs, 0, transferUs, channelsUs, linksUs);
  }

  private void add(double earlierRounds, double rounds, double bytes) {
    Round round = round(bytes);
    double inStep = costs.roundsInStep(earlierRounds, rounds, sends);
    waitingUs += inStep * round.waitingUs;
    channelsUs += rounds * round.channelsUs;
    linksUs += rounds * round.linksUs;
    transferUs += inStep * (round.inStepUs - round.waitingUs) + (rounds - inStep) * round.driftedUs;
  }

  private Round round(double bytes) {
    double inStepUs = 0;
    double waiting = 0;
    double channels = 0;
    double links = 0;
    double copied = costs.atFullCost(bytes, shape.threads(), 1);
    for (Step step : steps) {
      double receiving = step.receives ? costs.receiving(hops) : 1;
      double copyUs =
          copied
              * receiving
              * (step.sends
                  ? costs.storeUsPerByte(step.usPerByte, hops.throughHost())
                  : step.usPerByte);
      double linkUs = step.sends ? bytes * linkUsPerByte : 0;
      double moving =
          costs.isStreamed()
              ? Math.max(copyUs, linkUs)
              : Overlap.beside(copyUs, linkUs, Overlap.IN_STEP);
      double stepUs = step.receives ? receiving * costs.stepUs() : 0;
      double wait = waitingUs(bytes, moving, stepUs);
      inStepUs += step.times * (moving + wait);
      waiting += step.times * wait;
      channels += step.times * (copyUs + (freesSlots() ? slicesUs(bytes) : 0) + stepUs);
      links += step.times * linkUs;
    }
    double drifted = Math.min(inStepUs, Overlap.beside(channels, links, Overlap.DRIFTED));
    return new Round(inStepUs, waiting, drifted, channels, links);
  }

  /**
   * Time of a step in addition to moving its data. The second slice is synchronized separately and
   * hides the wait for the first.
   */
  private double waitingUs(double bytes, double movingUs, double stepUs) {
    if (!costs.isSliced()) {
      return stepUs;
    }
    double largest = movingUs * costs.largestSlice(bytes, shape.chunkBytes());
    double slicesUs = slicesUs(bytes);
    double besideFirst = movingUs - largest + slicesUs - costs.slicesUs(1);
    return slicesUs + Math.max(0, stepUs - besideFirst);
  }

  /**
   * True if channels that have drifted apart wait for slices. They do not if data is written
   * directly to its destination, which needs no free buffer slot. For replays of CUDA graphs the
   * wait counts anyway, as their constants were fitted with it.
   */
  private boolean freesSlots() {
    return !shape.writesDirectly() || shape.gpusPerProcess() == 0;
  }

  private double slicesUs(double bytes) {
    return costs.isSliced() ? costs.slicesUs(costs.slices(bytes, shape.chunkBytes())) : 0;
  }

  /**
   * Slowdown of a ring's channel if NCCL_NTHREADS or NCCL_LL128_NTHREADS gives its thread block
   * fewer threads than NCCL's default. Threads wait for their own loads and stores; a block of many
   * threads is limited by its multiprocessor. Reducing loads twice before it stores, so that it
   * needs more threads. Trees have all threads, whatever the settings ({@code
   * nccl:src/enqueue.cc}).
   *
   * <p>For a small call NCCL itself starts fewer threads, as many as have data to move at once.
   * That takes no extra time, so that only larger calls are slowed down.
   *
   * <p>The numbers of threads were fitted to AllGather and AllReduce of two H200 (virtual machine,
   * driver 580.159.04, NCCL 2.28.9, 2026-11-26; {@code block-threads.csv}).
   */
  static final class BlockPace {
    /** A ring by Simple has a warp that only synchronizes. */
    private static final int SYNC_THREADS = 32;

    /**
     * Bytes per thread below which NCCL halves the threads of a call; with LL, times the number of
     * ranks ({@code NCCL_LL_THREAD_THRESHOLD} and others, {@code nccl:src/include/comm.h}).
     */
    private static final int LL_THRESHOLD = 8;

    private static final int SIMPLE_THRESHOLD = 64;

    /** Threads that NCCL starts by default with Simple for slow rings, such as those on PCIe. */
    private static final int SLOW_RING_THREADS = 256;

    /**
     * Factor that allows for channels with more data than others and for threads that NCCL halves
     * below a threshold.
     */
    private static final int UNEVEN = 4;

    private BlockPace() {}

    /**
     * Primitives of a call at its actual number of threads.
     *
     * @param byDefault the primitives at NCCL's default number of threads
     */
    static PrimitiveCosts of(CallShape shape, PrimitiveCosts byDefault) {
      return switch (shape.protocol()) {
        case LL ->
            of(shape, byDefault, shape.threads(), LL_THRESHOLD * shape.nRanks(), 512, 620, 2000);
        case LL128 -> of(shape, byDefault, shape.threads(), LL_THRESHOLD, 640, 630, 1000);
        case SIMPLE ->
            of(
                shape,
                byDefault,
                shape.threads() - SYNC_THREADS,
                SIMPLE_THRESHOLD,
                isSlow(shape.route().together()) ? SLOW_RING_THREADS : 512,
                175,
                510);
      };
    }

    /** True if neighbours on a ring are joined by anything but NVLink alone. */
    private static boolean isSlow(Contention hops) {
      return hops.nvlinkPsPerByte() == 0 || hops.otherPsPerByte() > 0 || hops.throughHost();
    }

    /**
     * @param threshold bytes per thread below which NCCL starts fewer threads
     * @param usual default number of threads
     * @param copying threads that saturate the multiprocessor when copying
     * @param reducing threads that saturate it when reducing two sources
     */
    private static PrimitiveCosts of(
        CallShape shape,
        PrimitiveCosts byDefault,
        int threads,
        int threshold,
        int usual,
        double copying,
        double reducing) {
      double atOnce = (double) UNEVEN * threshold * Math.max(1, threads);
      if (threads >= usual || shape.shareBytes() <= atOnce) {
        return byDefault;
      }
      double beyond = 1 - atOnce / shape.shareBytes();
      return byDefault.slower(
          1 + beyond * longer(threads, usual, copying),
          1 + beyond * longer(threads, usual, reducing));
    }

    private static double longer(int threads, int usual, double balanced) {
      return Math.hypot(1, balanced / Math.max(1, threads)) / Math.hypot(1, balanced / usual) - 1;
    }
  }
}
