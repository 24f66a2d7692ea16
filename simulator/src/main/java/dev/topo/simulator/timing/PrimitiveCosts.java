package dev.topo.simulator.timing;

import dev.topo.model.operation.Protocol;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Constant;

/**
 * The time of a channel for a byte in each of NCCL's primitives, by itself on its thread block, in
 * microseconds ({@code nccl:src/device/primitives.h}). What it does with its data costs: by LL and
 * LL128 each load and store, by Simple a second source or destination.
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
   * Where the rank before writes into the user's buffer: what is received is where it belongs, and
   * passing it on is a send.
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
