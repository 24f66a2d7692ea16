package dev.topo.visualizer.report;

import dev.topo.inspect.trace.CallKind;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;

/**
 * The colours of calls by operation, from the palette of Okabe and Ito without yellow and black.
 */
enum CallColor {
  ALL_REDUCE("AllReduce", "#0072b2"),
  ALL_GATHER("AllGather", "#009e73"),
  REDUCE_SCATTER("ReduceScatter", "#d55e00"),
  ROOTED("Broadcast, Reduce", "#cc79a7"),
  ALLTOALL("alltoall, alltoallv", "#e69f00"),
  TRANSFER("sends and receives", "#56b4e9"),
  OTHER("other calls", "#7f7f7f");

  private final String label;
  private final String value;

  CallColor(String label, String value) {
    this.label = label;
    this.value = value;
  }

  static CallColor of(CallKind kind) {
    return kind.operation().map(CallColor::of).orElse(OTHER);
  }

  private static CallColor of(Operation operation) {
    if (operation instanceof Collective collective) {
      return switch (collective) {
        case ALL_REDUCE -> ALL_REDUCE;
        case ALL_GATHER -> ALL_GATHER;
        case REDUCE_SCATTER -> REDUCE_SCATTER;
        case BROADCAST, REDUCE -> ROOTED;
      };
    }
    return operation == PeerOperation.ALLTOALL || operation == PeerOperation.ALLTOALLV
        ? ALLTOALL
        : TRANSFER;
  }

  String label() {
    return label;
  }

  /** The colour in CSS notation. */
  String value() {
    return value;
  }
}
