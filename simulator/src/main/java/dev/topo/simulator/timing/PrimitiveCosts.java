package dev.topo.simulator.timing;

import dev.topo.model.collective.Protocol;

/**
 * What a channel needs for a byte in each of NCCL's primitives, by itself on its thread block, in
 * microseconds ({@code nccl:src/device/primitives.h}, NCCL 2.28.9). A primitive is a copy; storing
 * to another GPU, a second destination and a second source cost more.
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

  static PrimitiveCosts of(Calibration calibration, Protocol protocol) {
    double copy = calibration.value(copyOf(protocol)) * US_PER_PS;
    double remote = protocol == Protocol.LL ? calibration.value(Constant.REMOTE_LL) * US_PER_PS : 0;
    double destination =
        switch (protocol) {
          case LL -> calibration.value(Constant.EXTRA_LL) * US_PER_PS;
          case LL128 -> 0;
          case SIMPLE -> calibration.value(Constant.EXTRA_SIMPLE) * US_PER_PS;
        };
    double source = destination * calibration.value(Constant.SOURCE_SHARE);
    return new PrimitiveCosts(
        copy + remote,
        copy + remote + destination,
        copy + remote + destination,
        copy + remote + source,
        copy + remote + source + destination,
        copy,
        copy + source,
        calibration.value(Constant.COPY_HOST) * US_PER_PS * wireFactor(protocol));
  }

  /** Bytes that go over a link for each byte of data. */
  static double wireFactor(Protocol protocol) {
    return switch (protocol) {
      case LL -> 2.0;
      case LL128 -> 128.0 / 120.0;
      case SIMPLE -> 1.0;
    };
  }

  private static Constant copyOf(Protocol protocol) {
    return switch (protocol) {
      case LL -> Constant.COPY_LL;
      case LL128 -> Constant.COPY_LL128;
      case SIMPLE -> Constant.COPY_SIMPLE;
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

  /** The first primitive of a ring, by which a rank puts in its own data. */
  double first(boolean copiesOwnData) {
    return copiesOwnData ? copySend : send;
  }
}
