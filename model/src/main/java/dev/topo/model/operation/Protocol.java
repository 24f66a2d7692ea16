package dev.topo.model.operation;

import dev.topo.model.Labels;
import java.util.Optional;

/**
 * The protocols by which NCCL's algorithms move data, in its order ({@code NCCL_PROTO_*}, {@code
 * nccl:src/include/nccl_common.h}).
 */
public enum Protocol {
  /** A flag with every 4 bytes: least latency, half the bandwidth. */
  LL(0, "LL"),
  /** A flag with every 120 bytes; requires that stores of 128 bytes arrive as a whole. */
  LL128(1, "LL128"),
  /** Large chunks with synchronization between them. */
  SIMPLE(2, "Simple");

  private final int number;
  private final String label;

  Protocol(int number, String label) {
    this.number = number;
    this.label = label;
  }

  /** NCCL's number. */
  public int number() {
    return number;
  }

  /** NCCL's name, as in its log and in NCCL_PROTO. */
  public String label() {
    return label;
  }

  /** Bytes on the wire for each byte of data. */
  public double wireFactor() {
    return switch (this) {
      case LL -> 2.0;
      case LL128 -> 128.0 / 120.0;
      case SIMPLE -> 1.0;
    };
  }

  /** The protocol with this {@link #label}, ignoring case. */
  public static Optional<Protocol> ofLabel(String label) {
    return Labels.find(values(), Protocol::label, label);
  }
}
