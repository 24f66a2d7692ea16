package dev.topo.search.connect;

import dev.topo.search.GraphRequest;
import java.util.Arrays;

/**
 * The channels of a communicator and what each of them repeats. NCCL lays every searched channel
 * twice, with the two trees of a pair, and then repeats channels from the first on ({@code
 * ncclTopoPostset}, {@code nccl:src/graph/connect.cc}, NCCL 2.28.9). Immutable.
 */
final class ChannelPlan {
  /** Fewer channels than this are doubled on Hopper ({@code ncclTopoPostset}). */
  private static final int ENOUGH_CHANNELS = 16;

  private static final int MAX_CHANNELS = GraphRequest.MAX_CHANNELS;

  private final int searched;

  /** For each channel, which of the first two times {@link #searched} it equals. */
  private final int[] origin;

  private ChannelPlan(int searched, int[] origin) {
    this.searched = searched;
    this.origin = origin;
  }

  /**
   * The channels of a communicator.
   *
   * @param searched channels that all nodes have
   * @param collNetNeedsMore whether CollNet cannot use the bandwidth inside the nodes with one
   *     channel for each
   * @param fastNodes whether the GPUs are Hopper or newer and faster than one channel is
   */
  static ChannelPlan of(
      int searched, boolean collNetNeedsMore, boolean fastNodes, ChannelLimits limits) {
    if (searched < 1) {
      throw new IllegalArgumentException("a node has no ring or no tree, expected at least one");
    }
    int channels = Math.min(MAX_CHANNELS, 2 * searched);
    ChannelPlan plan = new ChannelPlan(searched, new int[channels]);
    Arrays.setAll(plan.origin, c -> c);
    if (collNetNeedsMore) {
      plan = plan.repeatedTo(Math.min(MAX_CHANNELS, plan.size() + plan.size() / 2));
    }
    if (fastNodes && plan.size() < ENOUGH_CHANNELS) {
      plan = plan.repeatedTo(2 * plan.size());
    }
    // First fewer, then more, so that a user can ask for the first channels, several times.
    return plan.cutTo(Math.min(limits.maxChannels(), limits.maxCtas()))
        .repeatedTo(Math.max(limits.minChannels(), limits.minCtas()));
  }

  private ChannelPlan cutTo(int channels) {
    return new ChannelPlan(searched, Arrays.copyOf(origin, Math.min(size(), channels)));
  }

  private ChannelPlan repeatedTo(int channels) {
    int[] repeated = new int[Math.max(size(), channels)];
    Arrays.setAll(repeated, c -> origin[c % origin.length]);
    return new ChannelPlan(searched, repeated);
  }

  /** Number of channels. */
  int size() {
    return origin.length;
  }

  /** Number of channels that were searched for, on each node. */
  int searched() {
    return searched;
  }

  /** The searched channel that a channel goes through on each node. */
  int searched(int channel) {
    return origin[channel] % searched;
  }

  /** Whether a channel has the second tree of the pair. */
  boolean hasSecondTree(int channel) {
    return origin[channel] >= searched;
  }
}
