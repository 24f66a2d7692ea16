package dev.topo.compare.whatif;

import dev.topo.model.QuantityFormat;
import dev.topo.search.channel.ChannelPlan;
import dev.topo.search.connect.Connection;
import dev.topo.simulator.Prediction;
import dev.topo.tuning.cost.CollectiveCall;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Why calls are faster after edits that take bandwidth away: NCCL derives the number of channels
 * from its search ({@code ncclTopoPostset}, {@code nccl:src/graph/connect.cc}), and fewer or slower
 * ports may give it more of them.
 */
public final class ChannelReason {
  /** Calls that gain less are not told apart. */
  private static final double GAIN = 1.02;

  private ChannelReason() {}

  /**
   * The reason in one sentence; empty where no call is faster, the number of channels is the same,
   * or the ranks are others.
   *
   * @param calls the calls of both outcomes
   */
  public static Optional<String> ofGain(
      WhatIfOutcome before, WhatIfOutcome after, List<CollectiveCall> calls) {
    Connection old = before.result().connection();
    Connection now = after.result().connection();
    boolean isSameJob = old.nRanks() == now.nRanks() && old.nNodes() == now.nNodes();
    return isSameJob
            && old.nChannels() != now.nChannels()
            && calls.stream().anyMatch(call -> isFaster(before, after, call))
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "calls are faster as NCCL uses %s instead of %d by rules of its own: it finds %s on a node instead of %d; %s",
                QuantityFormat.count(now.nChannels(), "channel"),
                old.nChannels(),
                QuantityFormat.count(now.searchedChannels(), "ring"),
                old.searchedChannels(),
                steps(now)))
        : Optional.empty();
  }

  private static boolean isFaster(WhatIfOutcome before, WhatIfOutcome after, CollectiveCall call) {
    Optional<Double> was = before.prediction(call).map(Prediction::busbwGBps);
    return after
        .prediction(call)
        .filter(is -> was.isPresent() && is.busbwGBps() > GAIN * was.get())
        .isPresent();
  }

  private static String steps(Connection connection) {
    return connection.channelSteps().stream()
        .map(ChannelPlan.Step::reason)
        .collect(Collectors.joining("; "));
  }
}
