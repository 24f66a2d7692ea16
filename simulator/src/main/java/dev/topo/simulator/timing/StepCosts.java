package dev.topo.simulator.timing;

import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.timing.CallShape.Contention;
import dev.topo.simulator.timing.TimeEstimate.Overlap;

/**
 * Constants of a calibration for one protocol, converted to microseconds and bytes, and the rules
 * for the time of a step.
 *
 * @param stepUs time to wait for a neighbour on a ring
 * @param treeStepUs time to wait for a neighbour on a tree
 * @param sliceUs time to synchronize a slice
 * @param halfUs extra time per byte to reduce elements of 2 bytes
 * @param int8Us extra time per byte to reduce elements of 1 byte
 */
record StepCosts(
    Protocol protocol,
    PrimitiveCosts primitives,
    double stepUs,
    double treeStepUs,
    double sliceUs,
    double halfUs,
    double int8Us,
    double nvlinkEfficiency,
    double pciEfficiency,
    double driftSteps,
    double indirect) {
  /**
   * Smallest slice of Simple as a fraction of the largest chunk of a ring: a thirty-second of two
   * of its four steps of the buffer ({@code genericOp}, {@code nccl:src/device/prims_simple.h}).
   */
  private static final double MIN_SLICE = 1.0 / 32 * 2 / 4;

  /** Bytes of user data that a thread moves at once with LL. */
  private static final double LL_BYTES_PER_THREAD = 8;

  /**
   * Cost in each step of the bytes that are moved first, per byte, relative to that of later bytes.
   */
  private static final double FIRST_BYTE_COST = 0.5;

  static StepCosts of(Calibration calibration, Protocol protocol) {
    double stepUs =
        calibration.value(
            switch (protocol) {
              case LL -> Constant.STEP_LL;
              case LL128 -> Constant.STEP_LL128;
              case SIMPLE -> Constant.STEP_SIMPLE;
            });
    return new StepCosts(
        protocol,
        PrimitiveCosts.of(calibration, protocol),
        stepUs,
        protocol == Protocol.LL128 ? calibration.value(Constant.STEP_TREE_LL128) : stepUs,
        protocol == Protocol.SIMPLE ? calibration.value(Constant.SLICE_SIMPLE) : 0,
        half(calibration, protocol),
        int8(calibration, protocol),
        calibration.value(Constant.NVLINK_EFFICIENCY),
        calibration.value(Constant.PCI_EFFICIENCY),
        calibration.value(Constant.DRIFT_STEPS),
        calibration.value(Constant.INDIRECT));
  }

  private static double half(Calibration calibration, Protocol protocol) {
    return protocol == Protocol.SIMPLE
        ? calibration.value(Constant.REDUCE_HALF) * PrimitiveCosts.US_PER_PS
        : 0;
  }

  /**
   * Extra time per byte to reduce elements of 1 byte. With LL only the difference to elements of 2
   * bytes is visible: in published runs of A100, H100, B200 and GB200, AllReduce and ReduceScatter
   * take 2 to 14 % longer, AllGather does not. With LL128, loads and flags hide all of it.
   */
  private static double int8(Calibration calibration, Protocol protocol) {
    double beside =
        switch (protocol) {
          case SIMPLE -> 0;
          case LL -> calibration.value(Constant.REDUCE_HALF);
          case LL128 -> Double.MAX_VALUE;
        };
    return Math.max(0, calibration.value(Constant.REDUCE_INT8) - beside) * PrimitiveCosts.US_PER_PS;
  }

  /** Primitives of a call, adjusted to its element type. */
  PrimitiveCosts primitives(CallShape shape) {
    return primitives.reducing(reducingUs(shape.dataType()));
  }

  private double reducingUs(DataType type) {
    return switch (type.sizeBytes()) {
      case 1 -> int8Us;
      case 2 -> halfUs;
      default -> 0;
    };
  }

  /**
   * Bytes that all threads move first with LL; 0 with other protocols. They are in flight together,
   * so they cost less than later bytes, and nothing if calls follow each other in a pipeline.
   *
   * @param threads threads that move them; on a tree, those of one direction
   */
  double first(double bytes, int threads) {
    return isStreamed() ? Math.min(bytes, threads * LL_BYTES_PER_THREAD) : 0;
  }

  /**
   * Bytes at full cost that take as long as {@code bytes} in a number of steps, where only the
   * bytes moved first delay the next step.
   *
   * @param threads as for {@link #first}
   */
  double atFullCost(double bytes, int threads, int steps) {
    return bytes - first(bytes, threads) + steps * firstInStep(bytes, threads);
  }

  /** Bytes at full cost that take as long as the bytes moved first, in each step. */
  double firstInStep(double bytes, int threads) {
    return FIRST_BYTE_COST * first(bytes, threads);
  }

  /** Time until a rank sees the first chunk of its neighbour on a tree. */
  double treeHopUs(CallShape shape) {
    return receiving(shape.route().together()) * treeStepUs + slicesUs(1);
  }

  /** Time to synchronize the slices of a chunk. */
  double slicesUs(double slices) {
    return slices * sliceUs;
  }

  /**
   * Number of slices of a chunk on a ring around which data travels; only Simple has slices.
   *
   * @param largest bytes of the largest chunk
   */
  double slices(double bytes, int largest) {
    return bytes > MIN_SLICE * largest ? 2 : 1;
  }

  /** Fraction of a chunk that its largest slice holds. */
  double largestSlice(double bytes, int largest) {
    return Math.max(0.5, Math.min(1.0, MIN_SLICE * largest / Math.max(bytes, 1.0)));
  }

  /** True if a chunk is cut into slices that are passed on one by one. */
  boolean isSliced() {
    return protocol == Protocol.SIMPLE;
  }

  /** True if a rank forwards data before it has the whole chunk. */
  boolean isStreamed() {
    return protocol == Protocol.LL;
  }

  /**
   * True if the ranks of a pipeline, and the two directions of a tree, do not delay each other: the
   * channels drift apart, and ranks wait only for the first steps. With LL128 they wait for every
   * chunk.
   */
  boolean drifts() {
    return isStreamed() || isSliced();
  }

  /** Time per byte of data on the busiest link. */
  double linkUsPerByte(Contention contention) {
    double busiest =
        Math.max(
            contention.nvlinkPsPerByte() / nvlinkEfficiency,
            contention.otherPsPerByte() / pciEfficiency);
    return busiest * protocol.wireFactor() * PrimitiveCosts.US_PER_PS;
  }

  /**
   * Factor by which receiving through a third GPU is slower than from a neighbour that stores to
   * this GPU's memory; 1 for direct hops.
   */
  double receiving(Contention hops) {
    return hops.throughGpu() ? indirect : 1;
  }

  /** Time per byte of a primitive that stores to another GPU. */
  double storeUsPerByte(double primitive, boolean throughHost) {
    return throughHost ? Math.max(primitive, primitives.hostStore()) : primitive;
  }

  /**
   * Number of rounds that channels make in step, out of {@code rounds} that follow {@code before}
   * earlier ones: each step of a round lets them drift apart a little more.
   */
  double roundsInStep(double before, double rounds, int stepsOfRound) {
    return Overlap.inStep(before, rounds, driftSteps / stepsOfRound);
  }

  /**
   * Time of a channel for a byte in each of NCCL's primitives, alone on its thread block, in
   * microseconds ({@code nccl:src/device/primitives.h}). With LL and LL128 each load and store adds
   * time, with Simple a second source or destination does.
   *
   * @param send from the user's buffer to the next rank
   * @param copySend the same, and to the user's other buffer
   * @param recvCopySend from the receive buffer to the user's and to the next rank
   * @param recvReduceSend the receive buffer and the user's, reduced, to the next rank
   * @param recvReduceCopySend the same, and to the user's buffer
   * @param recv from the receive buffer to the user's
   * @param recvReduceCopy the receive buffer and the user's, reduced, to the user's
   * @param hostStore a store to another GPU through the host's memory
   */
  record PrimitiveCosts(
      double send,
      double copySend,
      double recvCopySend,
      double recvReduceSend,
      double recvReduceCopySend,
      double recv,
      double recvReduceCopy,
      double hostStore) {
    static final double US_PER_PS = 1e-6;

    /**
     * Time of a byte from one source, or from two that are reduced, to the user's buffer or another
     * GPU.
     */
    @FunctionalInterface
    private interface Copy {
      double ps(int sources, boolean user, boolean next);
    }

    static PrimitiveCosts of(Calibration calibration, Protocol protocol) {
      Copy copy =
          switch (protocol) {
            case LL ->
                oneByOne(
                    calibration.value(Constant.LOAD_LL),
                    calibration.value(Constant.SOURCE_LL),
                    calibration.value(Constant.STORE_LL),
                    calibration.value(Constant.REMOTE_LL));
            case LL128 ->
                oneByOne(
                    calibration.value(Constant.LOAD_LL128),
                    calibration.value(Constant.SOURCE_LL128),
                    calibration.value(Constant.STORE_LL128),
                    calibration.value(Constant.REMOTE_LL128));
            case SIMPLE -> copyBySimple(calibration);
          };
      double both = protocol == Protocol.LL128 ? calibration.value(Constant.BOTH_LL128) : 0;
      return new PrimitiveCosts(
          copy.ps(1, false, true) * US_PER_PS,
          copy.ps(1, true, true) * US_PER_PS,
          (copy.ps(1, true, true) + both) * US_PER_PS,
          copy.ps(2, false, true) * US_PER_PS,
          (copy.ps(2, true, true) + both) * US_PER_PS,
          copy.ps(1, true, false) * US_PER_PS,
          copy.ps(2, true, false) * US_PER_PS,
          calibration.value(Constant.COPY_HOST) * US_PER_PS * protocol.wireFactor());
    }

    /** Costs if every load and every store of a thread adds its own time. */
    private static Copy oneByOne(double load, double source, double store, double remote) {
      return (sources, user, next) ->
          load + (sources - 1) * source + (user ? store : 0) + (next ? remote : 0);
    }

    /**
     * Costs of Simple, where storing to another GPU costs as much as storing to the user's buffer.
     */
    private static Copy copyBySimple(Calibration calibration) {
      double copy = calibration.value(Constant.COPY_SIMPLE);
      double source = calibration.value(Constant.SOURCE_SIMPLE);
      double destination = calibration.value(Constant.EXTRA_SIMPLE);
      return (sources, user, next) ->
          copy + (sources - 1) * source + (user && next ? destination : 0);
    }

    /**
     * Primitives if the previous rank writes directly into this rank's user buffer: received data
     * is already in place, so that forwarding it is a send.
     */
    PrimitiveCosts written() {
      return new PrimitiveCosts(
          send, copySend, send, recvReduceSend, recvReduceCopySend, 0, recvReduceCopy, hostStore);
    }

    /** Primitives with extra time to reduce a byte, in microseconds. */
    PrimitiveCosts reducing(double longerUs) {
      return longerUs == 0
          ? this
          : new PrimitiveCosts(
              send,
              copySend,
              recvCopySend,
              recvReduceSend + longerUs,
              recvReduceCopySend + longerUs,
              recv,
              recvReduceCopy + longerUs,
              hostStore);
    }

    /**
     * Primitives slowed down by factors; stores through host memory stay as they are.
     *
     * @param copying factor of primitives with one source
     * @param reducing factor of primitives with two sources
     */
    PrimitiveCosts slower(double copying, double reducing) {
      return new PrimitiveCosts(
          copying * send,
          copying * copySend,
          copying * recvCopySend,
          reducing * recvReduceSend,
          reducing * recvReduceCopySend,
          copying * recv,
          reducing * recvReduceCopy,
          hostStore);
    }

    /** First primitive of a ring, with which a rank contributes its own data. */
    double first(boolean copiesOwnData) {
      return copiesOwnData ? copySend : send;
    }
  }
}
