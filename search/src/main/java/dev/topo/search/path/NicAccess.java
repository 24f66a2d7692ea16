package dev.topo.search.path;

import dev.topo.model.PathType;
import java.util.OptionalInt;

/**
 * How a GPU reaches a port and why so. GPUs and ports are named by their place among the nodes of
 * their type.
 *
 * @param gpu the GPU
 * @param net the port
 * @param direct distance on the shortest path, before any rule
 * @param used distance on the path that NCCL uses to send
 * @param relay the GPU in between, if the path is PXN
 * @param pxn whether PXN is used, or why not
 * @param gdr whether GPUDirect RDMA is used, or why not
 * @param gdrDistance the distance that counts for GPUDirect RDMA
 * @param gdrLimit the farthest that GPUDirect RDMA is used for
 */
public record NicAccess(
    int gpu,
    int net,
    PathType direct,
    PathType used,
    OptionalInt relay,
    PxnDecision pxn,
    GdrDecision gdr,
    PathType gdrDistance,
    PathType gdrLimit) {
  /** Use of another GPU for sends of a GPU to a port, or the reason against it. */
  public enum PxnDecision {
    /** It does. */
    USED,
    /** The user has switched it off. */
    OFF,
    /** The GPU is the one next to the port. */
    IS_LOCAL,
    /** No GPU prefers this port. */
    NO_LOCAL_GPU,
    /** The GPU next to the port is too far from it itself. */
    LOCAL_GPU_TOO_FAR,
    /** No NVLink leads straight to the GPU next to the port. */
    NO_NVLINK,
    /** The GPU next to the port is on another host. */
    OTHER_HOST,
    /** It would bring no more bandwidth, and the direct path avoids the CPU. */
    NOT_BETTER
  }
}
