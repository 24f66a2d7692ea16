package dev.topo.compare.whatif;

import dev.topo.model.Link;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.job.Machine;
import dev.topo.search.channel.ChannelPlan;
import dev.topo.search.connect.Connection;
import dev.topo.simulator.Prediction;
import dev.topo.tuning.cost.CollectiveCall;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Why calls are faster after edits that take bandwidth away: NCCL derives the number of channels
 * from its search ({@code ncclTopoPostset}, {@code nccl:src/graph/connect.cc}), and fewer or slower
 * ports may give it more of them, or other rings and trees.
 */
public final class GainReason {
  /** Calls that gain less are not told apart. */
  private static final double GAIN = 1.02;

  private GainReason() {}

  /**
   * The reason in one sentence; empty where no call is faster, NCCL uses the same channels, or the
   * ranks or settings are others or links were added.
   *
   * @param calls the calls of both outcomes
   */
  public static Optional<String> ofGain(
      WhatIfOutcome before, WhatIfOutcome after, List<CollectiveCall> calls) {
    Connection old = before.result().connection();
    Connection now = after.result().connection();
    boolean isSameJob = old.nRanks() == now.nRanks() && old.nNodes() == now.nNodes();
    if (!isSameJob
        || isMore(before.machine(), after.machine())
        || calls.stream().noneMatch(call -> isFaster(before, after, call))) {
      return Optional.empty();
    }
    return old.nChannels() == now.nChannels()
        ? ofRoutes(old, now)
        : Optional.of(ofNumber(old, now));
  }

  /** Whether a machine has more bandwidth or other settings, which explain that it is faster. */
  private static boolean isMore(Machine before, Machine after) {
    return !before.settings().equals(after.settings())
        || linksGBps(after.topology()) > linksGBps(before.topology());
  }

  private static double linksGBps(Topology topology) {
    return IntStream.range(0, topology.size())
        .mapToObj(topology::links)
        .flatMap(List::stream)
        .mapToDouble(Link::bwGBps)
        .sum();
  }

  private static String ofNumber(Connection old, Connection now) {
    return String.format(
        Locale.ROOT,
        "calls are faster as NCCL uses %s instead of %d by rules of its own: it finds %s on a node instead of %d; %s",
        QuantityFormat.count(now.nChannels(), "channel"),
        old.nChannels(),
        QuantityFormat.count(now.searchedChannels(), "ring"),
        old.searchedChannels(),
        steps(now));
  }

  private static Optional<String> ofRoutes(Connection old, Connection now) {
    boolean isOther =
        IntStream.range(0, now.nChannels())
            .anyMatch(channel -> isOtherRing(old, now, channel) || isOtherTree(old, now, channel));
    return isOther
        ? Optional.of(
            "calls are faster as NCCL's search finds other rings or trees on the same number of channels")
        : Optional.empty();
  }

  private static boolean isOtherRing(Connection old, Connection now, int channel) {
    return !Arrays.equals(old.rings().order(channel), now.rings().order(channel));
  }

  private static boolean isOtherTree(Connection old, Connection now, int channel) {
    return IntStream.range(0, now.nRanks())
        .anyMatch(
            rank -> !old.trees().links(channel, rank).equals(now.trees().links(channel, rank)));
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
