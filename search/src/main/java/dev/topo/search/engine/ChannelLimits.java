package dev.topo.search.engine;

import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.ConnectRules;
import java.util.OptionalInt;

/**
 * The limits that the user sets on channels ({@code ncclMinNchannels} and {@code ncclMaxNchannels}
 * in {@code nccl:src/graph/connect.cc}, {@code envConfigOverride} in {@code nccl:src/init.cc}).
 *
 * @param minChannels NCCL_MIN_NCHANNELS or, by its old name, NCCL_MIN_NRINGS
 * @param maxChannels NCCL_MAX_NCHANNELS or NCCL_MAX_NRINGS, and what fits into the arguments of a
 *     kernel
 * @param minCtas NCCL_MIN_CTAS
 * @param maxCtas NCCL_MAX_CTAS
 * @param nvlsCtas NCCL_NVLS_NCHANNELS
 * @param maxForArguments channels whose work fits into the arguments of a kernel
 */
public record ChannelLimits(
    int minChannels,
    int maxChannels,
    int minCtas,
    int maxCtas,
    OptionalInt nvlsCtas,
    int maxForArguments) {
  /** NCCL's value for "not set" ({@code NCCL_PARAM} of MIN_NRINGS and its like). */
  private static final int UNSET = -2;

  public static ChannelLimits of(NcclSettings settings, ConnectRules rules) {
    int most = rules.maxChannels;
    int maxForArguments =
        maxForArguments(settings.longInteger("NCCL_WORK_ARGS_BYTES", Long.MAX_VALUE), rules);
    int min = newOrOldName(settings, "NCCL_MIN_NCHANNELS", "NCCL_MIN_NRINGS", 0);
    int max = newOrOldName(settings, "NCCL_MAX_NCHANNELS", "NCCL_MAX_NRINGS", most);
    int maxCtas = Math.min(positive(settings, "NCCL_MAX_CTAS", most), most);
    int minCtas = Math.min(positive(settings, "NCCL_MIN_CTAS", 1), maxCtas);
    OptionalInt nvlsCtas =
        settings.text("NCCL_NVLS_NCHANNELS").isPresent()
            ? OptionalInt.of(settings.integer("NCCL_NVLS_NCHANNELS", 0))
            : OptionalInt.empty();
    return new ChannelLimits(
        Math.max(0, Math.min(min, most)),
        Math.max(1, Math.min(max, maxForArguments)),
        minCtas,
        maxCtas,
        nvlsCtas.orElse(Integer.MIN_VALUE) >= rules.leastNvlsSetting
            ? nvlsCtas
            : OptionalInt.empty(),
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
  private static int maxForArguments(long bytes, ConnectRules rules) {
    long batches = Long.divideUnsigned(bytes - rules.kernelArgumentsBytes, rules.workBatchBytes);
    return (int) Math.min(rules.maxChannels, batches);
  }

  /** The nearest number of channels that NCCL_MIN_CTAS and NCCL_MAX_CTAS allow. */
  public int withinCtas(int channels) {
    return Math.max(minCtas, Math.min(maxCtas, channels));
  }
}
