package dev.topo.search.engine;

import dev.topo.model.io.TextWriter;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.ConnectRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * The channels of a communicator and the searched channel that each of them repeats. NCCL
 * duplicates every searched channel, with the two trees of a pair, and then repeats channels from
 * the first on ({@code ncclTopoPostset}, {@code nccl:src/graph/connect.cc}). Immutable.
 */
public final class ChannelPlan {
  /**
   * A step in the derivation of the number of channels.
   *
   * @param channels the number after this step
   * @param reason the reason for the change
   */
  public record Step(int channels, String reason) {}

  private final int searched;

  /** For each channel, the index of the equal channel among the first {@code 2 * searched}. */
  private final int[] origin;

  private final List<Step> steps;

  private ChannelPlan(int searched, int[] origin, List<Step> steps) {
    this.searched = searched;
    this.origin = origin;
    this.steps = steps;
  }

  /**
   * The channels of a communicator.
   *
   * @param searched number of channels that all nodes found
   * @param collNetNeedsMore whether CollNet needs more channels to use the bandwidth inside the
   *     nodes
   * @param fastSm the lowest compute capability if there are several nodes with fast rings; else 0
   */
  public static ChannelPlan of(
      int searched,
      boolean collNetNeedsMore,
      int fastSm,
      ChannelLimits limits,
      ConnectRules rules) {
    if (searched < 1) {
      throw new IllegalArgumentException("a node has no ring or no tree, expected at least one");
    }
    int channels = Math.min(rules.maxChannels, 2 * searched);
    int[] origin = new int[channels];
    Arrays.setAll(origin, c -> c);
    ChannelPlan plan =
        new ChannelPlan(searched, origin, List.of())
            .because(
                "every ring and tree that all nodes have is laid twice, with two trees that mirror each other");
    if (collNetNeedsMore) {
      plan =
          plan.repeatedTo(Math.min(rules.maxChannels, plan.size() + plan.size() / 2))
              .because(
                  "half as many again, for in-network reduction is faster inside the nodes than between them");
    }
    int doubledBelow = rules.doubledBelow(fastSm);
    if (plan.size() < doubledBelow) {
      plan =
          plan.repeatedTo(2 * plan.size())
              .because(
                  TextWriter.format(
                      "twice that, for rings above %.0f GB/s on several nodes of sm %d with fewer than %d",
                      rules.doubledAboveGBps, fastSm, doubledBelow));
    }
    // Cut first, then repeated, so that a user can request the first channels several times.
    ChannelPlan cut = plan.cutTo(Math.min(limits.maxChannels(), limits.maxCtas()));
    if (cut.size() < plan.size()) {
      cut = cut.because("the most that NCCL_MAX_NCHANNELS or NCCL_MAX_CTAS allow");
    }
    ChannelPlan enough = cut.repeatedTo(Math.max(limits.minChannels(), limits.minCtas()));
    return enough.size() > cut.size()
        ? enough.because("the fewest that NCCL_MIN_NCHANNELS or NCCL_MIN_CTAS demand")
        : enough;
  }

  /** This plan with at least as many channels as NVLS uses. */
  public ChannelPlan raisedTo(int nvlsChannels) {
    return nvlsChannels > size() ? repeatedTo(nvlsChannels).because("as many as NVLS uses") : this;
  }

  private ChannelPlan because(String reason) {
    List<Step> extended = new ArrayList<>(steps);
    extended.add(new Step(size(), reason));
    return new ChannelPlan(searched, origin, List.copyOf(extended));
  }

  /** The derivation of the number of channels. */
  public List<Step> steps() {
    return steps;
  }

  private ChannelPlan cutTo(int channels) {
    return new ChannelPlan(searched, Arrays.copyOf(origin, Math.min(size(), channels)), steps);
  }

  private ChannelPlan repeatedTo(int channels) {
    int[] repeated = new int[Math.max(size(), channels)];
    Arrays.setAll(repeated, c -> origin[c % origin.length]);
    return new ChannelPlan(searched, repeated, steps);
  }

  public int size() {
    return origin.length;
  }

  /** Number of searched channels on each node. */
  public int searched() {
    return searched;
  }

  /** The searched channel that a channel repeats on each node. */
  public int searched(int channel) {
    return origin[channel] % searched;
  }

  /** True if a channel has the second tree of the pair. */
  public boolean hasSecondTree(int channel) {
    return origin[channel] >= searched;
  }

  /**
   * The limits that the user sets on channels ({@code ncclMinNchannels} and {@code
   * ncclMaxNchannels} in {@code nccl:src/graph/connect.cc}, {@code envConfigOverride} in {@code
   * nccl:src/init.cc}).
   *
   * @param minChannels NCCL_MIN_NCHANNELS or, by its old name, NCCL_MIN_NRINGS
   * @param maxChannels NCCL_MAX_NCHANNELS or NCCL_MAX_NRINGS, limited to {@code maxForArguments}
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
    /** NCCL's value for "not set" ({@code NCCL_PARAM} of MIN_NRINGS and similar ones). */
    private static final int UNSET = -2;

    public static ChannelLimits of(NcclSettings settings, ConnectRules rules) {
      int allChannels = rules.maxChannels;
      int maxForArguments =
          maxForArguments(settings.longInteger("NCCL_WORK_ARGS_BYTES", Long.MAX_VALUE), rules);
      int min = newOrOldName(settings, "NCCL_MIN_NCHANNELS", "NCCL_MIN_NRINGS", 0);
      int max = newOrOldName(settings, "NCCL_MAX_NCHANNELS", "NCCL_MAX_NRINGS", allChannels);
      int maxCtas = Math.min(positive(settings, "NCCL_MAX_CTAS", allChannels), allChannels);
      int minCtas = Math.min(positive(settings, "NCCL_MIN_CTAS", 1), maxCtas);
      OptionalInt nvlsCtas =
          settings.text("NCCL_NVLS_NCHANNELS").isPresent()
              ? OptionalInt.of(settings.integer("NCCL_NVLS_NCHANNELS", 0))
              : OptionalInt.empty();
      return new ChannelLimits(
          Math.max(0, Math.min(min, allChannels)),
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

    /** {@code ncclDevMaxChannelsForArgsBytes}, which computes unsigned. */
    private static int maxForArguments(long bytes, ConnectRules rules) {
      long batches = Long.divideUnsigned(bytes - rules.kernelArgumentsBytes, rules.workBatchBytes);
      return (int) Math.min(rules.maxChannels, batches);
    }

    /** The nearest number of channels that NCCL_MIN_CTAS and NCCL_MAX_CTAS allow. */
    public int withinCtas(int channels) {
      return Math.max(minCtas, Math.min(maxCtas, channels));
    }
  }
}
