package dev.topo.search.connect;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.settings.NcclSettings;
import java.util.OptionalInt;

/**
 * How many channels the user wants ({@code ncclMinNchannels} and {@code ncclMaxNchannels} in {@code
 * nccl:src/graph/connect.cc}, {@code envConfigOverride} in {@code nccl:src/init.cc}, NCCL 2.28.9).
 *
 * @param minChannels NCCL_MIN_NCHANNELS or, by its old name, NCCL_MIN_NRINGS
 * @param maxChannels NCCL_MAX_NCHANNELS or NCCL_MAX_NRINGS, and what fits into the arguments of a
 *     kernel
 * @param minCtas NCCL_MIN_CTAS
 * @param maxCtas NCCL_MAX_CTAS
 * @param nvlsCtas NCCL_NVLS_NCHANNELS
 * @param maxForArguments channels whose work fits into the arguments of a kernel
 */
record ChannelLimits(
    int minChannels,
    int maxChannels,
    int minCtas,
    int maxCtas,
    OptionalInt nvlsCtas,
    int maxForArguments) {
  /** What NCCL takes for "not set" ({@code NCCL_PARAM} of MIN_NRINGS and its like). */
  private static final int UNSET = -2;

  /** {@code sizeof(ncclDevKernelArgs)} ({@code nccl:src/include/device.h}). */
  private static final int KERNEL_ARGUMENTS_BYTES = 32;

  /** {@code sizeof(ncclDevWorkBatch)} ({@code nccl:src/include/device.h}). */
  private static final int WORK_BATCH_BYTES = 16;

  /** The limits under some settings. */
  static ChannelLimits of(NcclSettings settings) {
    int maxForArguments =
        maxForArguments(settings.longInteger("NCCL_WORK_ARGS_BYTES", Long.MAX_VALUE));
    int min = newOrOldName(settings, "NCCL_MIN_NCHANNELS", "NCCL_MIN_NRINGS", 0);
    int max =
        newOrOldName(settings, "NCCL_MAX_NCHANNELS", "NCCL_MAX_NRINGS", ChannelGraph.MAX_CHANNELS);
    int maxCtas =
        Math.min(
            positive(settings, "NCCL_MAX_CTAS", ChannelGraph.MAX_CHANNELS),
            ChannelGraph.MAX_CHANNELS);
    int minCtas = Math.min(positive(settings, "NCCL_MIN_CTAS", 1), maxCtas);
    int nvlsCtas = positive(settings, "NCCL_NVLS_NCHANNELS", 0);
    return new ChannelLimits(
        Math.max(0, Math.min(min, ChannelGraph.MAX_CHANNELS)),
        Math.max(1, Math.min(max, maxForArguments)),
        minCtas,
        maxCtas,
        nvlsCtas > 0 ? OptionalInt.of(nvlsCtas) : OptionalInt.empty(),
        maxForArguments);
  }

  private static int newOrOldName(
      NcclSettings settings, String newName, String oldName, int defaultValue) {
    int value = settings.integer(newName, UNSET);
    if (value == UNSET) {
      value = settings.integer(oldName, UNSET);
    }
    return value == UNSET ? defaultValue : value;
  }

  private static int positive(NcclSettings settings, String name, int defaultValue) {
    int value = settings.integer(name, defaultValue);
    return value > 0 ? value : defaultValue;
  }

  /** {@code ncclDevMaxChannelsForArgsBytes}, which computes without sign. */
  private static int maxForArguments(long bytes) {
    long batches = Long.divideUnsigned(bytes - KERNEL_ARGUMENTS_BYTES, WORK_BATCH_BYTES);
    return (int) Math.min(ChannelGraph.MAX_CHANNELS, batches);
  }

  /** The nearest number of channels that NCCL_MIN_CTAS and NCCL_MAX_CTAS allow. */
  int withinCtas(int channels) {
    return Math.max(minCtas, Math.min(maxCtas, channels));
  }
}
