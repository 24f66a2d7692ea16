package dev.topo.search.engine;

import dev.topo.search.rules.ConnectRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The channels of a communicator and what each of them repeats. NCCL lays every searched channel
 * twice, with the two trees of a pair, and then repeats channels from the first on ({@code
 * ncclTopoPostset}, {@code nccl:src/graph/connect.cc}). Immutable.
 */
public final class ChannelPlan {
  /**
   * A step in the derivation of the number of channels.
   *
   * @param channels the number after it
   * @param reason why the number changes
   */
  public record Step(int channels, String reason) {}

  private final int searched;

  /** For each channel, which of the first two times {@link #searched} it equals. */
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
   * @param searched channels that all nodes have
   * @param collNetNeedsMore whether CollNet cannot use the bandwidth inside the nodes with one
   *     channel for each
   * @param fastSm the smallest compute capability of several nodes with fast rings; 0 for others
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
                  String.format(
                      Locale.ROOT,
                      "twice that, for rings above %.0f GB/s on several nodes of sm %d with fewer than %d",
                      rules.doubledAboveGBps,
                      fastSm,
                      doubledBelow));
    }
    // First fewer, then more, so that a user can ask for the first channels, several times.
    ChannelPlan cut = plan.cutTo(Math.min(limits.maxChannels(), limits.maxCtas()));
    if (cut.size() < plan.size()) {
      cut = cut.because("the most that NCCL_MAX_NCHANNELS or NCCL_MAX_CTAS allow");
    }
    ChannelPlan enough = cut.repeatedTo(Math.max(limits.minChannels(), limits.minCtas()));
    return enough.size() > cut.size()
        ? enough.because("the fewest that NCCL_MIN_NCHANNELS or NCCL_MIN_CTAS demand")
        : enough;
  }

  /** At least as many channels as NVLS uses. */
  public ChannelPlan raisedTo(int nvlsChannels) {
    return nvlsChannels > size() ? repeatedTo(nvlsChannels).because("as many as NVLS uses") : this;
  }

  private ChannelPlan because(String reason) {
    List<Step> longer = new ArrayList<>(steps);
    longer.add(new Step(size(), reason));
    return new ChannelPlan(searched, origin, List.copyOf(longer));
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

  /** Number of channels that were searched for, on each node. */
  public int searched() {
    return searched;
  }

  /** The searched channel that a channel goes through on each node. */
  public int searched(int channel) {
    return origin[channel] % searched;
  }

  /** True if a channel has the second tree of the pair. */
  public boolean hasSecondTree(int channel) {
    return origin[channel] >= searched;
  }
}
