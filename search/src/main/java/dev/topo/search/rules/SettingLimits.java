package dev.topo.search.rules;

import dev.topo.model.job.NcclSetting.Kind;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog;
import dev.topo.model.job.SettingException;
import java.util.List;
import java.util.Map;

/**
 * Values of settings with which NCCL does not work: it divides by them, rounds them to nothing, or
 * computes with them beyond the 32 bits that it has for them, which C leaves undefined. NCCL itself
 * checks none of them ({@code computeBuffSizes} and {@code ncclP2pSchedule}, {@code
 * nccl:src/init.cc}; {@code ncclTopoComputeP2pChannels}, {@code nccl:src/graph/paths.cc}; {@code
 * addP2pToPlan} and {@code calcCollChunking}, {@code nccl:src/enqueue.cc}).
 */
final class SettingLimits {
  /** A line of LL, or what a thread moves at once by Simple. */
  private static final int LEAST_STEP = 16;

  /** The bytes that LL128 moves at once, with its flags ({@code ncclProtoGrainSize}). */
  private static final int LEAST_LL128_STEP = 2048;

  /** The bytes that chunks of Simple are multiples of ({@code ncclProtoGrainSize}). */
  private static final int LEAST_NVLS_CHUNK = 512;

  private static final int UNSET = -2;
  private static final List<String> CHUNKS =
      List.of("NCCL_P2P_NET_CHUNKSIZE", "NCCL_P2P_NVL_CHUNKSIZE", "NCCL_P2P_PCI_CHUNKSIZE");

  private SettingLimits() {}

  /**
   * Checks the settings of a user that a release has.
   *
   * @throws SettingException for one that is out of its range
   */
  static void check(NcclSettings settings, BufferRules buffers) {
    settings.values().forEach(SettingLimits::checkBits);
    checkBuffer(settings, "NCCL_BUFFSIZE", LEAST_STEP * buffers.steps);
    checkBuffer(settings, "NCCL_LL_BUFFSIZE", LEAST_STEP * buffers.steps);
    checkBuffer(settings, "NCCL_LL128_BUFFSIZE", LEAST_LL128_STEP * buffers.steps);
    checkNvlsChunk(settings, "NCCL_NVLS_CHUNKSIZE");
    checkNvlsChunk(settings, "NCCL_NVLSTREE_MAX_CHUNKSIZE");
    for (String chunk : CHUNKS) {
      checkMost(
          settings, chunk, Integer.MAX_VALUE / buffers.steps, "as NCCL multiplies it in 32 bits");
    }
    checkMost(
        settings,
        "NCCL_MIN_P2P_NCHANNELS",
        Integer.highestOneBit(Integer.MAX_VALUE),
        "as NCCL rounds it up to a power of two in 32 bits");
    checkLeast(settings, "NCCL_P2P_SCHEDULE_GROUP_SIZE", 1);
    checkLeast(settings, "NCCL_P2P_PER_CHANNEL_NET_BW", 1);
    checkLeast(settings, "NCCL_CHUNK_SIZE", 0);
  }

  private static void checkBits(String name, String value) {
    if (SettingCatalog.find(name).orElseThrow().kind() != Kind.INTEGER) {
      return;
    }
    NcclSettings settings = NcclSettings.of(Map.of(name, value));
    int kept = settings.integer(name, 0);
    if (kept != settings.longInteger(name, 0)) {
      throw new SettingException(
          "setting %s=%s: NCCL keeps 32 bits of it, which are %d; expected a number from %d to %d"
              .formatted(name, value, kept, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }
  }

  private static void checkBuffer(NcclSettings settings, String name, int least) {
    int size = settings.integer(name, UNSET);
    if (size != UNSET && size < least) {
      throw new SettingException(
          "%s=%d: nothing fits into a step of it, expected %d or more"
              .formatted(name, size, least));
    }
  }

  private static void checkNvlsChunk(NcclSettings settings, String name) {
    int chunk = settings.integer(name, UNSET);
    if (chunk != UNSET && chunk < LEAST_NVLS_CHUNK) {
      throw new SettingException(
          "%s=%d: NCCL rounds it down to 0 bytes and divides by it, expected %d or more"
              .formatted(name, chunk, LEAST_NVLS_CHUNK));
    }
  }

  private static void checkMost(NcclSettings settings, String name, int most, String why) {
    int value = settings.integer(name, 0);
    if (value > most) {
      throw new SettingException(
          "%s=%d: expected at most %d, %s".formatted(name, value, most, why));
    }
  }

  private static void checkLeast(NcclSettings settings, String name, int least) {
    int value = settings.integer(name, least);
    if (value < least) {
      throw new SettingException("%s=%d: expected a number from %d".formatted(name, value, least));
    }
  }
}
