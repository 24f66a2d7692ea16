package dev.topo.simulator.memory;

import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.SettingVersions;
import java.util.Set;

/**
 * Settings that determine memory, apart from those of channels, buffers and algorithms.
 *
 * @param cuMem NCCL_CUMEM_ENABLE; CUDA is assumed to support it
 * @param cuMemHost NCCL_CUMEM_HOST_ENABLE; the driver is assumed to be that of CUDA 12.6 or newer
 * @param runtimeConnect NCCL_RUNTIME_CONNECT: whether connections are made when a call needs them;
 *     false in releases without the setting
 * @param sharesSplits NCCL_COMM_SPLIT_SHARE_RESOURCES
 * @param fifoBytes NCCL_WORK_FIFO_BYTES
 * @param nvbPreconnect NCCL_NVB_PRECONNECT: whether GPUs that reach each other through the NVLinks
 *     of another are connected for sends and receives when everything is connected at init
 * @param readsPeers NCCL_P2P_READ_ENABLE: 1, 0, or -2 to decide by GPU
 * @param copiesPeers NCCL_P2P_USE_CUDA_MEMCPY
 * @param gdrCopy NCCL_GDRCOPY_ENABLE; the machine is assumed to have GDRCopy if set
 * @param setsStack NCCL_SET_STACK_SIZE
 * @param shmAtSender NCCL_SHM_LOCALITY=1
 * @param sharedNetBuffers NCCL_NET_SHARED_BUFFERS
 * @param netLl NCCL_ALLOC_P2P_NET_LL_BUFFERS
 * @param windows NCCL_WIN_ENABLE, which needs cuMem
 * @param nvlsChunk NCCL_NVLS_CHUNKSIZE
 */
record MemorySettings(
    boolean cuMem,
    boolean cuMemHost,
    boolean runtimeConnect,
    boolean sharesSplits,
    long fifoBytes,
    boolean nvbPreconnect,
    int readsPeers,
    boolean copiesPeers,
    boolean gdrCopy,
    boolean setsStack,
    boolean shmAtSender,
    boolean sharedNetBuffers,
    boolean netLl,
    boolean windows,
    int nvlsChunk) {
  /** Settings that only this model covers: other answers ignore them or do not depend on them. */
  static final Set<String> OWN =
      Set.of(
          "NCCL_CUMEM_ENABLE",
          "NCCL_CUMEM_HOST_ENABLE",
          "NCCL_P2P_READ_ENABLE",
          "NCCL_P2P_USE_CUDA_MEMCPY",
          "NCCL_SHM_LOCALITY",
          "NCCL_RUNTIME_CONNECT",
          "NCCL_NVB_PRECONNECT",
          "NCCL_SET_STACK_SIZE",
          "NCCL_GDRCOPY_ENABLE",
          "NCCL_COMM_SPLIT_SHARE_RESOURCES");

  private static final int BY_GPU = -2;

  /** {@code NCCL_WORK_FIFO_BYTES_DEFAULT}, {@code nccl:src/init.cc}. */
  private static final long FIFO_BYTES = 1L << 20;

  private static final long MAX_FIFO_BYTES = 1L << 30;

  /**
   * Default of {@code NCCL_WORK_FIFO_DEPTH} up to 2.21, {@code nccl:src/init.cc}, times {@code
   * NCCL_WORK_SIZE}, in bytes.
   */
  private static final long OLD_FIFO_BYTES = (64L << 10) * 512;

  /** {@code NCCL_NVLS_CHUNKSIZE}, {@code nccl:src/transport/nvls.cc}. */
  private static final int NVLS_CHUNK = 128 << 10;

  /** Settings of a job under the rules of a release. */
  static MemorySettings of(NcclSettings settings, NcclProfile profile) {
    boolean cuMem = !is(settings, "NCCL_CUMEM_ENABLE", BY_GPU, 0);
    return new MemorySettings(
        cuMem,
        cuMem
            && has(profile, "NCCL_CUMEM_HOST_ENABLE")
            && !is(settings, "NCCL_CUMEM_HOST_ENABLE", -1, 0),
        cuMem
            && has(profile, "NCCL_RUNTIME_CONNECT")
            && !is(settings, "NCCL_RUNTIME_CONNECT", 1, 0),
        is(settings, "NCCL_COMM_SPLIT_SHARE_RESOURCES", 0, 1),
        has(profile, "NCCL_WORK_FIFO_BYTES")
            ? fifo(settings.longInteger("NCCL_WORK_FIFO_BYTES", FIFO_BYTES))
            : OLD_FIFO_BYTES,
        !is(settings, "NCCL_NVB_PRECONNECT", 1, 0),
        settings.integer("NCCL_P2P_READ_ENABLE", BY_GPU),
        is(settings, "NCCL_P2P_USE_CUDA_MEMCPY", 0, 1),
        is(settings, "NCCL_GDRCOPY_ENABLE", 0, 1),
        is(settings, "NCCL_SET_STACK_SIZE", 0, 1),
        is(settings, "NCCL_SHM_LOCALITY", 2, 1),
        !is(settings, "NCCL_NET_SHARED_BUFFERS", BY_GPU, 0),
        is(settings, "NCCL_ALLOC_P2P_NET_LL_BUFFERS", 0, 1),
        cuMem && !is(settings, "NCCL_WIN_ENABLE", 1, 0),
        settings.integer("NCCL_NVLS_CHUNKSIZE", NVLS_CHUNK));
  }

  /** True if the release has a setting. */
  private static boolean has(NcclProfile profile, String setting) {
    return SettingVersions.absence(setting, profile).isEmpty();
  }

  private static long fifo(long stated) {
    boolean isPowerOfTwo = stated > 0 && (stated & (stated - 1)) == 0;
    return isPowerOfTwo ? Math.min(stated, MAX_FIFO_BYTES) : FIFO_BYTES;
  }

  private static boolean is(NcclSettings settings, String name, int byDefault, int wanted) {
    return settings.integer(name, byDefault) == wanted;
  }
}
