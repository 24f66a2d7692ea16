package dev.topo.model;

import java.util.Optional;

/**
 * How NCCL merges the ports of a machine into virtual devices ({@code ncclTopoGetFusionEnv}, {@code
 * nccl:src/graph/topo.cc}, 2.28.9).
 *
 * @param level ports are merged up to this distance
 * @param forced groups that are merged first, with {@code ;} between groups and {@code ,} between
 *     devices
 * @param allowed whether the network may merge ports into one device (NCCL_IB_MERGE_NICS)
 */
public record NicMerging(NicDistance level, Optional<String> forced, boolean allowed) {
  /** Maximum number of ports of a device ({@code NCCL_NET_MAX_DEVS_PER_NIC}). */
  public static final int MAX_PORTS = 4;

  /** Separator between the port names in the name of a merged device. */
  public static final String JOINT = "+";
}
