package dev.topo.model;

import java.util.Optional;

/**
 * How NCCL merges the ports of a machine to virtual devices ({@code ncclTopoGetFusionEnv}, {@code
 * nccl:src/graph/topo.cc}, 2.28.9).
 *
 * @param level ports are merged up to this distance
 * @param forced groups that are merged first, with {@code ;} between groups and {@code ,} between
 *     devices
 * @param allowed whether the network makes a device of several ports (NCCL_IB_MERGE_NICS)
 */
public record NicMerging(NicDistance level, Optional<String> forced, boolean allowed) {
  /** The most ports of a device ({@code NCCL_NET_MAX_DEVS_PER_NIC}). */
  public static final int MAX_PORTS = 4;

  /** Between the names of the ports in the name of their device. */
  public static final String JOINT = "+";
}
