package dev.topo.model;

import java.util.Arrays;
import java.util.Optional;

/**
 * How far apart two network devices are when NCCL decides whether to merge them, nearest first
 * ({@code nicPathKvList} and {@code ncclTopoGetPath}, {@code nccl:src/graph/topo.cc}).
 */
public enum NicDistance {
  /** One device. */
  LOC(0),
  /** Ports of one card. */
  PORT(1),
  PIX(4),
  /** Connected through several PCI switches, not the CPU. */
  PXB(5),
  /** A level that a setting may name; no two NICs have this distance. */
  P2C(6),
  /** A level that a setting may name; no two NICs have this distance. */
  PXN(7),
  PHB(8),
  SYS(9),
  /** Never merged. */
  DIS(11);

  private final int rank;

  NicDistance(int rank) {
    this.rank = rank;
  }

  /** True if ports at this distance are merged at the level {@code limit}. */
  public boolean isWithin(NicDistance limit) {
    return rank <= limit.rank;
  }

  /** The level named by a setting; NCCL treats an unknown name as {@code LOC}. */
  public static NicDistance parse(String text) {
    return level(text).orElse(LOC);
  }

  /** The level whose name is a prefix of a text, as NCCL compares them. */
  public static Optional<NicDistance> level(String text) {
    return Arrays.stream(values())
        .filter(distance -> distance != DIS && text.startsWith(distance.name()))
        .findFirst();
  }
}
