package dev.topo.search.tuning;

import dev.topo.model.Rounding;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.rules.LaunchRules.Shares;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import dev.topo.search.tuning.Tuner.ThreadLimits;

/**
 * The channels over which NCCL spreads a single call: no more than the choice allows, each with a
 * minimum share ({@code scheduleCollTasksToPlan}, {@code nccl:src/enqueue.cc}). Calls that are
 * grouped with others share channels and may get more or fewer.
 */
public final class ChannelShare {
  private ChannelShare() {}

  /**
   * The distribution of a call over channels.
   *
   * @param channels channels that the call runs on
   * @param largestBytes bytes of the channel with the largest part, counted in the data that a rank
   *     sends for AllGather or receives for ReduceScatter, else in the size of the call
   */
  public record Share(int channels, long largestBytes) {}

  public static int channels(CommFacts facts, CollectiveCall call, Choice choice) {
    return share(facts, call, choice).channels();
  }

  /**
   * The number of channels of the launch: 0 for a single rank, which only copies, else at least 1.
   */
  public static int launched(CommFacts facts, CollectiveCall call, Choice choice) {
    return facts.nRanks() == 1 ? 0 : Math.max(1, channels(facts, call, choice));
  }

  /** The distribution of a call over its channels. */
  public static Share share(CommFacts facts, CollectiveCall call, Choice choice) {
    Algorithm algorithm = choice.algorithm();
    long countBytes = countBytes(facts, call);
    Shares shares = facts.profile().launch().shares;
    boolean inNetwork =
        algorithm.isCollNet() || (algorithm == Algorithm.NVLS && facts.nNodes() > 1);
    if (inNetwork || shares instanceof Shares.AllChannels) {
      return new Share(
          choice.channels(), Rounding.quotientUp(countBytes, Math.max(1, choice.channels())));
    }
    int maxChannels = algorithm.isNvls() ? facts.nvlsChannels() : facts.callChannels();
    return shares instanceof Shares.ByTraffic rules
        ? byTraffic(rules, facts, call, choice, maxChannels)
        : inParts((Shares.Equal) shares, countBytes, choice, maxChannels);
  }

  private static Share byTraffic(
      Shares.ByTraffic rules,
      CommFacts facts,
      CollectiveCall call,
      Choice choice,
      int maxChannels) {
    long countBytes = countBytes(facts, call);
    long trafficPerByte = trafficPerByte(call.collective(), facts.nRanks());
    trafficPerByte *= choice.protocol() == Protocol.LL ? rules.llFactor() : 1;
    long traffic = Math.max(rules.minBytes(), countBytes * trafficPerByte);
    long perChannel =
        Math.max(rules.minBytes(), traffic / Math.max(1, Math.min(choice.channels(), maxChannels)));
    long cellBytes =
        Rounding.up(Rounding.quotientUp(rules.minBytes(), trafficPerByte), rules.cellBytes());
    long cells = Rounding.quotientUp(countBytes, cellBytes);
    long cellsPerChannel =
        Math.max(1, Math.min(cells, Rounding.quotientUp(perChannel, cellBytes * trafficPerByte)));
    long channels = Rounding.quotientUp(cells, cellsPerChannel);
    if (channels > maxChannels) {
      channels = maxChannels;
      cellsPerChannel = Rounding.quotientUp(cells, maxChannels);
    }
    return new Share((int) channels, Math.min(countBytes, cellsPerChannel * cellBytes));
  }

  /** {@code addCBDCollToPlan} of 2.21. */
  private static Share inParts(
      Shares.Equal rules, long countBytes, Choice choice, int maxChannels) {
    long part =
        Rounding.up(
            Rounding.quotientUp(countBytes, Math.max(1, Math.min(choice.channels(), maxChannels))),
            rules.partBytes());
    int alignment =
        switch (choice.protocol()) {
          case LL -> rules.llThreadBytes() * choice.threads();
          case LL128 -> rules.ll128WarpBytes() * (choice.threads() / ThreadLimits.WARP);
          case SIMPLE -> rules.simpleBytes();
        };
    long aligned = Math.max(1, Rounding.up(part, alignment));
    return new Share((int) Rounding.quotientUp(countBytes, aligned), Math.min(countBytes, aligned));
  }

  /**
   * The count of a call in bytes: for AllGather the data that a rank sends, for ReduceScatter the
   * data that it receives, else the size.
   */
  private static long countBytes(CommFacts facts, CollectiveCall call) {
    long bytes = call.wholeBytes(facts.nRanks());
    return call.collective().dividesSize() ? bytes / facts.nRanks() : bytes;
  }

  /** {@code ncclFuncTrafficPerByte}. */
  private static long trafficPerByte(Collective collective, int nRanks) {
    return switch (collective) {
      case ALL_REDUCE -> 2;
      case ALL_GATHER, REDUCE_SCATTER -> nRanks;
      case BROADCAST, REDUCE -> 1;
    };
  }
}
