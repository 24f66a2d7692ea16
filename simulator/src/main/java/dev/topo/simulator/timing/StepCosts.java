package dev.topo.simulator.timing;

import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.timing.CallShape.Contention;
import dev.topo.simulator.timing.TimeEstimate.Overlap;

/**
 * The constants of a calibration as a protocol needs them, in microseconds and bytes, and the rules
 * for the time of a step.
 *
 * @param stepUs waiting for a neighbour on a ring
 * @param treeStepUs waiting for a neighbour on a tree
 * @param sliceUs synchronization of a slice
 * @param halfUs what reducing a byte of numbers of 2 bytes takes longer
 * @param int8Us the same of numbers of 1 byte
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
   * Slices of Simple are no smaller than this part of the largest chunk of a ring: a thirty-second
   * of two of its four steps of the buffer ({@code genericOp}, {@code
   * nccl:src/device/prims_simple.h}).
   */
  private static final double LEAST_SLICE = 1.0 / 32 * 2 / 4;

  /** Bytes of the user's data that a thread moves at once, by LL. */
  private static final double LL_BYTES_PER_THREAD = 8;

  /** The cost in each step of a byte that is moved first, as a part of that of later ones. */
  private static final double FIRST = 0.5;

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
   * By LL only what numbers of 1 byte take longer than those of 2 shows: AllReduce and
   * ReduceScatter of published runs of A100, H100, B200 and GB200 take 2 to 14 % longer, AllGather
   * does not. By LL128 loads and flags hide all of it.
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

  /** The primitives of a call, with what its type of elements takes. */
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
   * The bytes that all threads move first, by LL: they are on their way together, so that they cost
   * less than those that follow, and nothing where calls follow each other in a pipeline.
   *
   * @param threads threads that move them: of a tree those of one direction
   */
  double first(double bytes, int threads) {
    return isStreamed() ? Math.min(bytes, threads * LL_BYTES_PER_THREAD) : 0;
  }

  /**
   * As many bytes at full cost as what is moved in a number of steps costs, where only what is
   * moved first delays the next step.
   *
   * @param threads as for {@link #first}
   */
  double atFullCost(double bytes, int threads, int steps) {
    return bytes - first(bytes, threads) + steps * firstInStep(bytes, threads);
  }

  /** As many bytes at full cost as those that are moved first cost in each step. */
  double firstInStep(double bytes, int threads) {
    return FIRST * first(bytes, threads);
  }

  /** Time that a rank waits until it sees the first chunk of its neighbour on a tree. */
  double treeHopUs(CallShape shape) {
    return receiving(shape.route().together()) * treeStepUs + slicesUs(1);
  }

  /** Synchronization of the slices of a chunk. */
  double slicesUs(double slices) {
    return slices * sliceUs;
  }

  /**
   * Slices that a chunk of a ring is cut into where data goes round; LL and LL128 have none.
   *
   * @param largest bytes of the largest chunk
   */
  double slices(double bytes, int largest) {
    return bytes > LEAST_SLICE * largest ? 2 : 1;
  }

  /** The part of a chunk that is in its largest slice. */
  double largestSlice(double bytes, int largest) {
    return Math.max(0.5, Math.min(1.0, LEAST_SLICE * largest / Math.max(bytes, 1.0)));
  }

  /** True if a chunk is cut into slices that are passed on one by one. */
  boolean isSliced() {
    return protocol == Protocol.SIMPLE;
  }

  /** True if a rank passes data on before it has the whole chunk. */
  boolean isStreamed() {
    return protocol == Protocol.LL;
  }

  /**
   * True if ranks of a pipeline and the two ways of a tree let each other run, so that channels
   * drift apart and only the first steps are waited for; by LL128 each chunk is.
   */
  boolean drifts() {
    return isStreamed() || isSliced();
  }

  /** Time of a byte on the busiest link. */
  double linkUsPerByte(Contention contention) {
    double busiest =
        Math.max(
            contention.nvlinkPsPerByte() / nvlinkEfficiency,
            contention.otherPsPerByte() / pciEfficiency);
    return busiest * PrimitiveCosts.wireFactor(protocol) * PrimitiveCosts.US_PER_PS;
  }

  /** The slowdown of receiving against a neighbour that stores into own memory. */
  double receiving(Contention hops) {
    return hops.throughGpu() ? indirect : 1;
  }

  /** Time of a byte in a primitive that stores to another GPU. */
  double storeUsPerByte(double primitive, boolean throughHost) {
    return throughHost ? Math.max(primitive, primitives.hostStore()) : primitive;
  }

  /**
   * The number of {@code rounds} rounds, the first after {@code before} others, with channels in
   * step: each step of a round lets them drift apart a little more.
   */
  double roundsInStep(double before, double rounds, int stepsOfRound) {
    return Overlap.inStep(before, rounds, driftSteps / stepsOfRound);
  }

  /**
   * The time of a channel for a byte in each of NCCL's primitives, by itself on its thread block,
   * in microseconds ({@code nccl:src/device/primitives.h}). What it does with its data costs: by LL
   * and LL128 each load and store, by Simple a second source or destination.
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

    /** Time of a byte from one source or two, which are reduced, to the user's buffer or a GPU. */
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
          calibration.value(Constant.COPY_HOST) * US_PER_PS * wireFactor(protocol));
    }

    /** Every load and every store of a thread costs its own time. */
    private static Copy oneByOne(double load, double source, double store, double remote) {
      return (sources, user, next) ->
          load + (sources - 1) * source + (user ? store : 0) + (next ? remote : 0);
    }

    /** Storing to another GPU costs what storing to the user's buffer does. */
    private static Copy copyBySimple(Calibration calibration) {
      double copy = calibration.value(Constant.COPY_SIMPLE);
      double source = calibration.value(Constant.SOURCE_SIMPLE);
      double destination = calibration.value(Constant.EXTRA_SIMPLE);
      return (sources, user, next) ->
          copy + (sources - 1) * source + (user && next ? destination : 0);
    }

    /** Bytes that go over a link for each byte of data. */
    static double wireFactor(Protocol protocol) {
      return switch (protocol) {
        case LL -> 2.0;
        case LL128 -> 128.0 / 120.0;
        case SIMPLE -> 1.0;
      };
    }

    /**
     * Where the rank before writes into the user's buffer: what is received is where it belongs,
     * and passing it on is a send.
     */
    PrimitiveCosts written() {
      return new PrimitiveCosts(
          send, copySend, send, recvReduceSend, recvReduceCopySend, 0, recvReduceCopy, hostStore);
    }

    /** With what reducing a byte takes longer, in microseconds. */
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
     * With other times of a byte, by factors; stores through the host's memory stay as they are.
     *
     * @param copying that of primitives with one source
     * @param reducing that of primitives with two
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

    /** The first primitive of a ring, by which a rank puts in its own data. */
    double first(boolean copiesOwnData) {
      return copiesOwnData ? copySend : send;
    }
  }
}
