package dev.topo.search.connect;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Protocol;
import dev.topo.search.rules.LaunchRules.BufferRules;
import dev.topo.search.rules.NcclProfile;

/**
 * Sizes in bytes of the buffers between two ranks, and of the chunks in which point-to-point
 * traffic passes through them ({@code computeBuffSizes}, {@code nccl:src/init.cc}).
 *
 * @param ll size of the buffer of LL
 * @param ll128 size of the buffer of LL128
 * @param simple size of the buffer of Simple
 * @param p2pChunk size of a chunk of point-to-point traffic
 */
public record BufferSizes(int ll, int ll128, int simple, int p2pChunk) {
  private static final int UNSET = -2;

  /**
   * The sizes as the ranks of a node compute them.
   *
   * @param severalNodes whether the job has other nodes
   * @param allNvlink whether NCCL considers all GPUs of the node joined by NVLink
   * @param armSm the lowest compute capability in the job if all its CPUs are Arm, else 0
   */
  public static BufferSizes of(
      NcclProfile profile,
      NcclSettings userSettings,
      boolean severalNodes,
      boolean allNvlink,
      int armSm) {
    NcclSettings settings = profile.complete(userSettings);
    BufferRules rules = profile.buffers();
    int simple = size(settings, "NCCL_BUFFSIZE", rules.simple);
    long chunk = chunk(settings, severalNodes, allNvlink);
    if (severalNodes) {
      chunk *= rules.netChunksWithArm(armSm);
    }
    return new BufferSizes(
        size(settings, "NCCL_LL_BUFFSIZE", rules.ll),
        size(settings, "NCCL_LL128_BUFFSIZE", rules.ll128),
        simple,
        (int) Math.min(chunk, simple / rules.steps));
  }

  private static int chunk(NcclSettings settings, boolean severalNodes, boolean allNvlink) {
    String type = severalNodes ? "NET" : allNvlink ? "NVL" : "PCI";
    return settings.integer("NCCL_P2P_" + type + "_CHUNKSIZE", UNSET);
  }

  private static int size(NcclSettings settings, String name, int byDefault) {
    int size = settings.integer(name, UNSET);
    return size == UNSET ? byDefault : size;
  }

  public int of(Protocol protocol) {
    return switch (protocol) {
      case LL -> ll;
      case LL128 -> ll128;
      case SIMPLE -> simple;
    };
  }
}
