package dev.topo.simulator.timing;

import dev.topo.model.operation.Protocol;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.calibration.NodeCosts;
import dev.topo.simulator.calibration.NodeCosts.NodeCost;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import dev.topo.simulator.timing.TimeEstimate.Overlap;

/**
 * Time of sends and receives ({@code runSend}, {@code runRecv}, {@code
 * nccl:src/device/sendrecv.h}). Some warps of a channel send while others receive; all share its
 * thread block. A rank that does both first waits for its peer: the first chunk is sent, then
 * received, and from then on data moves in both directions at once. If ranks only send or only
 * receive and calls are repeated, the senders run ahead into the next call, so that no rank waits.
 */
public final class PeerTime {
  private static final double US_PER_PS = 1e-6;

  /** Bytes on a link per byte of data with LL. */
  private static final double LL_WIRE = 2;

  private final TimingModel model;
  private final Calibration calibration;
  private final NodeCosts costs;
  private final boolean isRepeated;

  /** Times of repeated calls, with the constants of a model. */
  public PeerTime(TimingModel model, NodeCosts costs) {
    this(model, costs, true);
  }

  /**
   * Times of calls that may not be repeated.
   *
   * @param isRepeated whether calls follow each other, so that ranks that only send run ahead;
   *     otherwise ranks that only receive wait for the first chunk
   */
  public PeerTime(TimingModel model, NodeCosts costs, boolean isRepeated) {
    this.model = model;
    this.calibration = model.calibration();
    this.costs = costs;
    this.isRepeated = isRepeated;
  }

  /** Time of a call. */
  public TimeEstimate estimate(PeerShape shape) {
    boolean ll = shape.protocol() == Protocol.LL;
    double start =
        ll ? model.kernelUs(shape.gpusPerProcess(), Protocol.LL) : value(Constant.PEER_START);
    start += (shape.peers() - 1) * value(Constant.PEER_PER_PEER);
    start += shape.channels() * value(Constant.KERNEL_PER_CHANNEL);
    start += shape.registered() && !ll ? costs.value(NodeCost.PEER_START_REGISTERED) : 0;
    boolean waits = (shape.isExchange() || !isRepeated) && (ll || !shape.registered());
    double step = waits ? (ll ? value(Constant.STEP_LL) : costs.value(NodeCost.PEER_STEP)) : 0;
    double transfer = ll ? transferLl(shape) : transferSimple(shape);
    int gpus = shape.gpusPerProcess();
    double launch =
        model.launchUs(gpus, shape.channels())
            + (gpus > 1 ? gpus * costs.value(NodeCost.LAUNCH_PEER) : 0);
    double kernel = start + step + transfer;
    return new TimeEstimate(
        Overlap.beside(launch, kernel, Overlap.LAUNCHES),
        bottleneck(shape, launch, start + step, transfer),
        launch,
        start,
        step,
        0,
        transfer,
        model.host(gpus));
  }

  private Bottleneck bottleneck(PeerShape shape, double launch, double wait, double transfer) {
    if (launch >= wait + transfer) {
      return Bottleneck.LAUNCH;
    }
    if (wait >= transfer) {
      return Bottleneck.LATENCY;
    }
    return 2 * linkUs(shape) >= transfer ? Bottleneck.LINKS : Bottleneck.CHANNELS;
  }

  private double transferLl(PeerShape shape) {
    double psPerByte =
        costs.value(NodeCost.PEER_LL) * (value(Constant.LOAD_LL) + value(Constant.STORE_LL));
    double shared =
        1
            + costs.value(NodeCost.PEER_BOTH_LL) * shape.bothWays()
            + costs.value(NodeCost.PEER_COPY) * shape.copying();
    return Overlap.beside(
        copyUs(shape, psPerByte * shared), LL_WIRE * linkUs(shape), Overlap.DRIFTED);
  }

  private double transferSimple(PeerShape shape) {
    double copy = value(Constant.PEER_SIMPLE) * value(Constant.COPY_SIMPLE);
    double alone = copy * (1 + costs.value(NodeCost.PEER_COPY) * shape.copying());
    double link = linkUs(shape);
    long most = shape.mostBytes();
    double chunks = Math.max(1, Math.ceil((double) most / shape.chunkBytes()));
    double slices = value(Constant.SLICE_SIMPLE) * (shape.registered() ? 0 : 1);
    double first = Math.min(1, (double) shape.chunkBytes() / Math.max(1, most));
    if (!shape.isExchange() || shape.registered()) {
      double channel = copyUs(shape, alone) + (chunks > 1 ? chunks * slices : 0);
      double fill = isRepeated || shape.registered() ? 0 : first * copyUs(shape, alone);
      return fill + Overlap.beside(channel, link, Overlap.DRIFTED);
    }
    double rest = 1 - first;
    double both = alone + copy * costs.value(NodeCost.PEER_BOTH_SIMPLE) * shape.bothWays();
    double channel = copyUs(shape, both) * rest + slices * chunks * rest;
    double rounds = chunks * rest;
    double inStep =
        rounds > 0
            ? Overlap.inStep(0, rounds, value(Constant.DRIFT_STEPS) / STEPS_PER_CHUNK) / rounds
            : 0;
    return first * copyUs(shape, alone)
        + Overlap.beside(first * copyUs(shape, alone), first * link, Overlap.IN_STEP)
        + inStep * Overlap.beside(channel, rest * link, Overlap.IN_STEP)
        + (1 - inStep) * Overlap.beside(channel, rest * link, Overlap.DRIFTED);
  }

  /** Number of steps of a chunk: it is sent, then received. */
  private static final int STEPS_PER_CHUNK = 2;

  /**
   * Time of the channel to move its bytes; at least that of its local copies, which cross no link.
   */
  private double copyUs(PeerShape shape, double psPerByte) {
    double slowest =
        shape.throughHost() ? Math.max(psPerByte, value(Constant.COPY_HOST)) : psPerByte;
    double alone = value(Constant.COPY_SIMPLE) * shape.copiedBytes();
    return Math.max(slowest * shape.mostBytes(), alone) * US_PER_PS;
  }

  private double linkUs(PeerShape shape) {
    double share = shape.peers() > 1 ? value(Constant.PEER_LINK) : 1;
    return US_PER_PS
        * Math.max(
            shape.linkPs() / (share * value(Constant.NVLINK_EFFICIENCY)),
            shape.otherLinkPs() / value(Constant.PCI_EFFICIENCY));
  }

  private double value(Constant constant) {
    return calibration.value(constant);
  }
}
