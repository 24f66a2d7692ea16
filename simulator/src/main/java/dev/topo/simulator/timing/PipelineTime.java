package dev.topo.simulator.timing;

import dev.topo.model.operation.Collective;
import dev.topo.simulator.timing.RingTime.BlockPace;
import dev.topo.simulator.timing.StepCosts.PrimitiveCosts;
import dev.topo.simulator.timing.TimeEstimate.KernelTime;
import dev.topo.simulator.timing.TimeEstimate.Overlap;

/**
 * Time of Broadcast and Reduce on a ring: a pipeline from or to one rank ({@code runRing} in {@code
 * nccl:src/device/broadcast.h} and {@code reduce.h}). Ranks near its start may run ahead, even into
 * the next call, so that the pipeline fills once for many calls. If ranks write into the user's
 * buffer of the next rank, however, they wait until that rank has reached this call, and a rank in
 * the middle forwards a chunk only when it has the whole chunk.
 */
final class PipelineTime {
  /** Consecutive calls for which the pipeline is filled once: nccl-tests' default. */
  private static final int CALLS_IN_A_ROW = 20;

  /** Consecutive calls in a CUDA graph that is replayed ten times ({@code nccl-tests -G 10}). */
  private static final int REPLAYED_CALLS_IN_A_ROW = 200;

  /**
   * Fraction of the fill that counts if each rank measures its own time: ranks near the start of
   * the pipeline end earlier, and nccl-tests reports the mean over the ranks.
   */
  private static final double MEAN_OF_RANKS = 0.5;

  /**
   * Fraction of the steps for which the root of a Reduce waits if no kernel waits for the launch of
   * another: much of the data has already arrived.
   */
  private static final double AHEAD = 0.5;

  /**
   * Time of the data if one resource, channels or links, limits it.
   *
   * @param stepsUs time of the steps for which a rank waits
   * @param transferUs time to move the data
   */
  private record Flow(double stepsUs, double transferUs) {
    double totalUs() {
      return stepsUs + transferUs;
    }
  }

  private final CallShape shape;
  private final StepCosts costs;
  private final double bytes;
  private final double first;
  private final double moved;
  private final double exposedSteps;
  private final double channelUsPerByte;
  private final double linkUsPerByte;

  private PipelineTime(CallShape shape, StepCosts costs) {
    this.shape = shape;
    this.costs = costs;
    this.bytes = shape.shareBytes();
    this.first = Math.min(bytes, shape.chunkBytes());
    this.moved = bytes - costs.first(bytes, shape.threads());
    this.exposedSteps = exposedSteps();
    this.channelUsPerByte = slowestRank(0) + perByte(costs.slicesUs(1));
    this.linkUsPerByte = costs.linkUsPerByte(shape.route().together());
  }

  static KernelTime of(CallShape shape, StepCosts costs) {
    return new PipelineTime(shape, costs).time();
  }

  private KernelTime time() {
    Flow channels = costs.drifts() ? drifting() : waiting();
    Flow links =
        new Flow(exposedSteps * (costs.stepUs() + costs.slicesUs(1)), linkUsPerByte * moved);
    Flow slower = links.totalUs() > channels.totalUs() ? links : channels;
    double transferUs =
        costs.drifts()
            ? slower.transferUs
            : Overlap.beside(channels.transferUs, links.transferUs, Overlap.DRIFTED);
    return new KernelTime(
        slower.stepsUs,
        fillUs(),
        transferUs,
        costs.drifts() ? channelUsPerByte * bytes : channels.transferUs,
        linkUsPerByte * bytes);
  }

  /** Flow if channels wait only for their first steps. */
  private Flow drifting() {
    return new Flow(exposedSteps * costs.stepUs(), channelUsPerByte * moved);
  }

  /** Flow if channels wait for every chunk; all ranks wait for the first one. */
  private Flow waiting() {
    return new Flow(
        Math.min(1, exposedSteps) * costs.stepUs(),
        channelUsPerByte * first + slowestRank(perByte(costs.stepUs())) * (bytes - first));
  }

  private double fillUs() {
    int hops = shape.nRanks() - 1;
    double stepUs = costs.stepUs();
    if (shape.writesDirectly()) {
      return hops * stepUs + (hops > 1 ? linkUsPerByte * first : 0);
    }
    double chunkUs = costs.isStreamed() ? 0 : Math.max(channelUsPerByte, linkUsPerByte) * first;
    return hops * (stepUs + costs.slicesUs(1) + chunkUs) * fillsPerCall();
  }

  /** Fraction of the pipeline's fill that counts for each call. */
  private double fillsPerCall() {
    return switch (shape.gpusPerProcess()) {
      case 0 -> 1.0 / REPLAYED_CALLS_IN_A_ROW;
      case 1 -> MEAN_OF_RANKS / CALLS_IN_A_ROW;
      default -> 1.0 / CALLS_IN_A_ROW;
    };
  }

  /** Cost of a chunk, per byte. */
  private double perByte(double chunkUs) {
    return first > 0 ? chunkUs / first : 0;
  }

  /**
   * Number of steps for which a rank waits. With two ranks the sender runs ahead, so that the root
   * of a Reduce finds its data ready, except with LL128; Broadcast shows no such effect. More than
   * two ranks run ahead with Simple, unless one process launches their kernels one after the other.
   */
  private double exposedSteps() {
    double chunks = Math.ceil(bytes / shape.chunkBytes());
    double steps = chunks <= 1 ? chunks : costs.roundsInStep(0, chunks, 1);
    if (!costs.drifts() || shape.collective() != Collective.REDUCE) {
      return steps;
    }
    if (shape.nRanks() == 2) {
      return 0;
    }
    return costs.isSliced() && shape.gpusPerProcess() <= 1 ? AHEAD * steps : steps;
  }

  /**
   * Time per byte of the slowest rank.
   *
   * @param wait time per byte that a rank waits for data
   */
  private double slowestRank(double wait) {
    PrimitiveCosts primitives = BlockPace.of(shape, costs.primitives(shape));
    boolean host = shape.route().together().throughHost();
    boolean broadcast = shape.collective() == Collective.BROADCAST;
    double begin = broadcast ? primitives.first(!shape.inPlace()) : primitives.send();
    double middle = broadcast ? primitives.recvCopySend() : primitives.recvReduceSend();
    double end = broadcast ? primitives.recv() : primitives.recvReduceCopy();
    double receiving = costs.receiving(shape.route().together());
    double passing =
        shape.nRanks() > 2 ? receiving * (costs.storeUsPerByte(middle, host) + wait) : 0;
    return Math.max(Math.max(costs.storeUsPerByte(begin, host), passing), receiving * (end + wait));
  }
}
