package dev.topo.search.connect;

import dev.topo.model.settings.NcclSettings;

/**
 * Sizes of the buffers of a connection, in bytes ({@code computeBuffSizes}, {@code
 * nccl:src/init.cc}, NCCL 2.28.9).
 *
 * @param ll of protocol LL
 * @param ll128 of protocol LL128
 * @param simple of protocol Simple
 * @param p2pChunk what sends and receives hand over at a time
 */
public record BufferSizes(int ll, int ll128, int simple, int p2pChunk) {
  // Constants of nccl:src/include/device.h.
  private static final int STEPS = 8;
  private static final int LL_DEFAULT = 8 * 512 * STEPS * 16;
  private static final int LL128_DEFAULT = 120 * 640 * STEPS * Long.BYTES;

  private static final int SIMPLE_DEFAULT = 1 << 22;
  private static final int P2P_CHUNK_DEFAULT = 1 << 17;
  private static final int P2P_CHUNK_NVLINK_DEFAULT = 1 << 19;
  private static final int UNSET = -2;

  static BufferSizes of(NcclSettings settings, boolean severalNodes, boolean allNvlink) {
    int simple = size(settings, "NCCL_BUFFSIZE", SIMPLE_DEFAULT);
    return new BufferSizes(
        size(settings, "NCCL_LL_BUFFSIZE", LL_DEFAULT),
        size(settings, "NCCL_LL128_BUFFSIZE", LL128_DEFAULT),
        simple,
        Math.min(p2pChunk(settings, severalNodes, allNvlink), simple / STEPS));
  }

  private static int size(NcclSettings settings, String name, int defaultValue) {
    int value = settings.integer(name, UNSET);
    return value == UNSET ? defaultValue : value;
  }

  private static int p2pChunk(NcclSettings settings, boolean severalNodes, boolean allNvlink) {
    if (severalNodes) {
      return settings.integer("NCCL_P2P_NET_CHUNKSIZE", P2P_CHUNK_DEFAULT);
    }
    return allNvlink
        ? settings.integer("NCCL_P2P_NVL_CHUNKSIZE", P2P_CHUNK_NVLINK_DEFAULT)
        : settings.integer("NCCL_P2P_PCI_CHUNKSIZE", P2P_CHUNK_DEFAULT);
  }
}
