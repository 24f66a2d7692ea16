package dev.topo.simulator.timing;

import dev.topo.model.collective.Collective;

/**
 * Broadcast and Reduce on a ring: a pipeline from or to one rank ({@code runRing} in {@code
 * nccl:src/device/broadcast.h} and {@code reduce.h}, NCCL 2.28.9). Ranks near its beginning may run
 * ahead of the others, also into the next call, so that the fill of the pipeline is paid once for
 * many calls. But where a rank writes into the user's buffer of the next, it waits until that one
 * has come to this call, and one between them passes on what it has in full.
 */
final class PipelineTime {
  /** Calls in a row, of which the fill of the pipeline is paid once: nccl-tests' default. */
  private static final int CALLS_IN_A_ROW = 20;

  private PipelineTime() {}

  static KernelTime of(CallShape shape, StepCosts costs, double startUs) {
    Contention together = shape.route().together();
    double bytes = shape.shareBytes();
    double chunks = Math.ceil(bytes / shape.chunkBytes());
    double first = Math.min(bytes, shape.chunkBytes());
    double chunksPerByte = first > 0 ? 1 / first : 0;
    double sliceUs = costs.slicesUs(1);
    double waitUs = costs.drifts() ? 0 : costs.stepUs();
    double channelUsPerByte =
        slowestRank(shape, costs, waitUs * chunksPerByte) + sliceUs * chunksPerByte;
    double linkUsPerByte = costs.linkUsPerByte(together);
    double usPerByte = Math.max(channelUsPerByte, linkUsPerByte);
    double stepUs = costs.stepUs();
    boolean full = linkUsPerByte > channelUsPerByte;
    double exposed = full || waitUs == 0 ? exposedSteps(shape, costs, chunks) : 0;
    int hops = shape.nRanks() - 1;
    double chunkUs = costs.isStreamed() ? 0 : usPerByte * first;
    double fillUs =
        shape.writesDirectly()
            ? hops * stepUs + (hops > 1 ? linkUsPerByte * first : 0)
            : hops * (stepUs + sliceUs + chunkUs) / CALLS_IN_A_ROW;
    return new KernelTime(
        startUs,
        exposed * (full ? stepUs + sliceUs : stepUs),
        fillUs,
        usPerByte * costs.beyondFirst(bytes, shape.threads()),
        channelUsPerByte * bytes,
        linkUsPerByte * bytes);
  }

  /**
   * Steps that are waited for. Of two ranks the one that sends runs ahead, so that the root of a
   * Reduce finds its data; Broadcast shows nothing of that.
   */
  private static double exposedSteps(CallShape shape, StepCosts costs, double chunks) {
    if (shape.nRanks() == 2 && shape.collective() == Collective.REDUCE) {
      return 0;
    }
    return chunks <= 1 ? chunks : costs.roundsInStep(0, chunks, 1);
  }

  /**
   * What the slowest rank needs for a byte.
   *
   * @param wait what a rank waits for a byte until it has come: by LL128 for each chunk, where no
   *     rank runs ahead
   */
  private static double slowestRank(CallShape shape, StepCosts costs, double wait) {
    PrimitiveCosts primitives = costs.primitives();
    boolean host = shape.route().together().throughHost();
    boolean broadcast = shape.collective() == Collective.BROADCAST;
    double begin = broadcast ? primitives.first(!shape.inPlace()) : primitives.send();
    double middle = broadcast ? primitives.recvCopySend() : primitives.recvReduceSend();
    double end = broadcast ? primitives.recv() : primitives.recvReduceCopy();
    double store = shape.nRanks() > 2 ? Math.max(begin, middle + wait) : begin;
    return Math.max(end + wait, costs.storeUsPerByte(store, host));
  }
}
