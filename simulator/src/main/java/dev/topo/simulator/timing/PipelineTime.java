package dev.topo.simulator.timing;

import dev.topo.model.operation.Collective;
import dev.topo.simulator.timing.RingTime.BlockPace;
import dev.topo.simulator.timing.StepCosts.PrimitiveCosts;
import dev.topo.simulator.timing.TimeEstimate.KernelTime;
import dev.topo.simulator.timing.TimeEstimate.Overlap;

/**
 * Broadcast and Reduce on a ring: a pipeline from or to one rank ({@code runRing} in {@code
 * nccl:src/device/broadcast.h} and {@code reduce.h}). Ranks near its beginning may run ahead of the
 * others, also into the next call, so that the fill of the pipeline is paid once for many calls.
 * But where a rank writes into the user's buffer of the next, it waits until that one has come to
 * this call, and one between them passes on what it has in full.
 */
final class PipelineTime {
  /** Calls in a row, of which the fill of the pipeline is paid once: nccl-tests' default. */
  private static final int CALLS_IN_A_ROW = 20;

  /** Calls in a row in a CUDA graph, which is replayed ten times ({@code nccl-tests -G 10}). */
  private static final int REPLAYED_CALLS_IN_A_ROW = 200;

  /**
   * The part of the fill that counts where each rank has its own clock, as those near the beginning
   * of the pipeline end earlier: nccl-tests reports the mean over the ranks.
   */
  private static final double MEAN_OF_RANKS = 0.5;

  /**
   * The part of the steps that the root of a Reduce waits for where no rank's kernel has to wait
   * for another to be launched: much has come before.
   */
  private static final double AHEAD = 0.5;

  /**
   * The time of the data if either the channels or the links limit it.
   *
   * @param stepsUs steps that are waited for
   * @param transferUs moving the data
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

  /** Channels of which only the first steps are waited for. */
  private Flow drifting() {
    return new Flow(exposedSteps * costs.stepUs(), channelUsPerByte * moved);
  }

  /** Channels of which each chunk is waited for, the first one by all ranks. */
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
    return hops * (stepUs + costs.slicesUs(1) + chunkUs) * fillsOfACall();
  }

  /** The part of the fill of the pipeline that counts for each call. */
  private double fillsOfACall() {
    return switch (shape.gpusPerProcess()) {
      case 0 -> 1.0 / REPLAYED_CALLS_IN_A_ROW;
      case 1 -> MEAN_OF_RANKS / CALLS_IN_A_ROW;
      default -> 1.0 / CALLS_IN_A_ROW;
    };
  }

  /** The cost of each chunk, for each of its bytes. */
  private double perByte(double chunkUs) {
    return first > 0 ? chunkUs / first : 0;
  }

  /**
   * Steps that are waited for. Of two ranks the one that sends runs ahead, so that the root of a
   * Reduce finds its data, though not by LL128; Broadcast shows nothing of that. Of more ranks they
   * run ahead by Simple, unless one process launches their kernels one after the other.
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
   * The time of the slowest rank for a byte.
   *
   * @param wait what a rank waits for a byte until it has come
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
