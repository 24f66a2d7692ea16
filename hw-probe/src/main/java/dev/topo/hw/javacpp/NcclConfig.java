package dev.topo.hw.javacpp;

import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.nccl.ncclConfig_t;
import org.bytedeco.cuda.nccl.ncclSimInfo_t;
import org.bytedeco.javacpp.BytePointer;

/**
 * Initializes NCCL's structures, as the macros of its header do, which the bindings lack ({@code
 * NCCL_CONFIG_INITIALIZER}, {@code NCCL_SIM_INFO_INITIALIZER}, {@code nccl:src/nccl.h.in}).
 */
final class NcclConfig {
  private static final int CONFIG_MAGIC = 0xcafebeef;
  private static final int SIM_INFO_MAGIC = 0x74685283;
  private static final int UNDEFINED = Integer.MIN_VALUE;

  /** First version with {@code nvlinkCentricSched}, which nccl-tests sets. */
  private static final int NVLINK_SCHEDULE_SINCE = 22800;

  private static final int HEADER_VERSION =
      nccl.NCCL_MAJOR * 10_000 + nccl.NCCL_MINOR * 100 + nccl.NCCL_PATCH;

  private NcclConfig() {}

  static ncclConfig_t likeNcclTests(int libraryVersion) {
    ncclConfig_t config = undefined(libraryVersion);
    if (libraryVersion >= NVLINK_SCHEDULE_SINCE) {
      config.nvlinkCentricSched(1);
    }
    return config;
  }

  /** A configuration without settings: NCCL's defaults. */
  static ncclConfig_t undefined(int libraryVersion) {
    ncclConfig_t config = new ncclConfig_t();
    return config
        .size(config.sizeof())
        .magic(CONFIG_MAGIC)
        .version(Math.min(libraryVersion, HEADER_VERSION))
        .blocking(UNDEFINED)
        .cgaClusterSize(UNDEFINED)
        .minCTAs(UNDEFINED)
        .maxCTAs(UNDEFINED)
        .netName(new BytePointer())
        .splitShare(UNDEFINED)
        .trafficClass(UNDEFINED)
        .commName(new BytePointer())
        .collnetEnable(UNDEFINED)
        .CTAPolicy(UNDEFINED)
        .shrinkShare(UNDEFINED)
        .nvlsCTAs(UNDEFINED)
        .nChannelsPerNetPeer(UNDEFINED)
        .nvlinkCentricSched(UNDEFINED)
        .graphUsageMode(UNDEFINED)
        .numRmaCtx(UNDEFINED);
  }

  static ncclSimInfo_t simulation(int libraryVersion) {
    ncclSimInfo_t info = new ncclSimInfo_t();
    return info.size(info.sizeof())
        .magic(SIM_INFO_MAGIC)
        .version(Math.min(libraryVersion, HEADER_VERSION))
        .estimatedTime(-1);
  }
}
