package dev.topo.search.peer;

import dev.topo.model.operation.Protocol;
import dev.topo.model.settings.NcclSettings;

/**
 * Sizes in bytes of the buffers between two ranks, and of the pieces in which point-to-point
 * traffic goes through them ({@code computeBuffSizes}, {@code nccl:src/init.cc}, NCCL 2.28.9).
 *
 * @param ll buffer of LL
 * @param ll128 buffer of LL128
 * @param simple buffer of Simple
 * @param p2pChunk piece of point-to-point traffic
 */
public record BufferSizes(int ll, int ll128, int simple, int p2pChunk) {
  /**
   * Steps that a buffer is divided into ({@code NCCL_STEPS}, {@code nccl:src/include/device.h}).
   */
  private static final int STEPS = 8;

  /** 8 lines of 16 bytes for each of 512 threads ({@code DEFAULT_LL_BUFFSIZE}). */
  private static final int DEFAULT_LL = 8 * 16 * 512 * STEPS;

  /** 120 elements of 8 bytes for each of 640 threads ({@code DEFAULT_LL128_BUFFSIZE}). */
  private static final int DEFAULT_LL128 = 120 * 8 * 640 * STEPS;

  /** {@code DEFAULT_BUFFSIZE}. */
  private static final int DEFAULT_SIMPLE = 1 << 22;

  private static final int DEFAULT_NET_CHUNK = 1 << 17;
  private static final int DEFAULT_PCI_CHUNK = 1 << 17;
  private static final int DEFAULT_NVLINK_CHUNK = 1 << 19;

  private static final int UNSET = -2;

  /**
   * The sizes as the ranks of a node compute them.
   *
   * @param severalNodes whether the job has more than this node
   * @param allNvlink whether no two GPUs of the node are farther apart than NVLink and C2C reach
   */
  public static BufferSizes of(NcclSettings settings, boolean severalNodes, boolean allNvlink) {
    int simple = size(settings, "NCCL_BUFFSIZE", DEFAULT_SIMPLE);
    int chunk = chunk(settings, severalNodes, allNvlink);
    return new BufferSizes(
        size(settings, "NCCL_LL_BUFFSIZE", DEFAULT_LL),
        size(settings, "NCCL_LL128_BUFFSIZE", DEFAULT_LL128),
        simple,
        Math.min(chunk, simple / STEPS));
  }

  private static int chunk(NcclSettings settings, boolean severalNodes, boolean allNvlink) {
    if (severalNodes) {
      return settings.integer("NCCL_P2P_NET_CHUNKSIZE", DEFAULT_NET_CHUNK);
    }
    return allNvlink
        ? settings.integer("NCCL_P2P_NVL_CHUNKSIZE", DEFAULT_NVLINK_CHUNK)
        : settings.integer("NCCL_P2P_PCI_CHUNKSIZE", DEFAULT_PCI_CHUNK);
  }

  private static int size(NcclSettings settings, String name, int byDefault) {
    int size = settings.integer(name, UNSET);
    return size == UNSET ? byDefault : size;
  }

  /** The buffer of a protocol. */
  public int of(Protocol protocol) {
    return switch (protocol) {
      case LL -> ll;
      case LL128 -> ll128;
      case SIMPLE -> simple;
    };
  }
}
