package dev.topo.model.operation;

import dev.topo.model.Labels;
import java.util.Locale;
import java.util.Optional;

/**
 * The collectives for which NCCL chooses an algorithm and a protocol, in its order ({@code
 * ncclFunc_t}, {@code nccl:src/include/nccl_common.h}).
 */
public enum Collective implements Operation {
  /** Every rank gets the data of one rank. */
  BROADCAST(0, "Broadcast"),
  /** One rank gets the reduction of the data of all ranks. */
  REDUCE(1, "Reduce"),
  /** Every rank gets the data of all ranks. */
  ALL_GATHER(2, "AllGather"),
  /** Every rank gets its part of the reduction of the data of all ranks. */
  REDUCE_SCATTER(3, "ReduceScatter"),
  /** Every rank gets the reduction of the data of all ranks. */
  ALL_REDUCE(4, "AllReduce");

  private final int number;
  private final String label;

  Collective(int number, String label) {
    this.number = number;
    this.label = label;
  }

  /** NCCL's number. */
  public int number() {
    return number;
  }

  /** NCCL's name, as in its log and in the prefixes of NCCL_ALGO and NCCL_PROTO. */
  @Override
  public String label() {
    return label;
  }

  @Override
  public String ncclTestsName() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public double busbwFactor(int nRanks) {
    double others = (nRanks - 1.0) / nRanks;
    return switch (this) {
      case ALL_REDUCE -> 2 * others;
      case ALL_GATHER, REDUCE_SCATTER -> others;
      case BROADCAST, REDUCE -> 1;
    };
  }

  @Override
  public boolean dividesSize() {
    return this == ALL_GATHER || this == REDUCE_SCATTER;
  }

  /**
   * True if it computes on the data; otherwise it only moves bytes and their type is irrelevant.
   */
  public boolean isReduction() {
    return this == REDUCE || this == REDUCE_SCATTER || this == ALL_REDUCE;
  }

  /** The collective with this name or label, as {@link Operation#ofName}. */
  public static Optional<Collective> ofName(String name) {
    return Operation.ofName(name).filter(Collective.class::isInstance).map(Collective.class::cast);
  }

  /** The collective with this {@link #label}, ignoring case. */
  public static Optional<Collective> ofLabel(String label) {
    return Labels.find(values(), Collective::label, label);
  }
}
