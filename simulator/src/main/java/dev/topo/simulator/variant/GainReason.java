package dev.topo.simulator.variant;

import dev.topo.model.Node.NetNode;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call;
import dev.topo.search.connect.Connection;
import dev.topo.search.engine.ChannelPlan;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.TimeChange;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reasons why a call is faster after edits that only remove something: NCCL derives the number of
 * channels from its search ({@code ncclTopoPostset}, {@code nccl:src/graph/connect.cc}), and with
 * fewer or slower ports it may get more of them, or other rings and trees.
 */
public final class GainReason {
  private GainReason() {}

  /**
   * The reason in one sentence; empty if something was added or settings changed, or if no call is
   * faster with the same algorithm and source of times and more channels, other routes or other
   * ports.
   *
   * @param calls the calls of both outcomes
   */
  public static Optional<String> ofGain(
      WhatIfOutcome before, WhatIfOutcome after, List<Call> calls) {
    if (!isReduced(before, after)) {
      return Optional.empty();
    }
    return calls.stream().flatMap(call -> ofCall(before, after, call).stream()).findFirst();
  }

  /** True if the edits only remove something from the machine of the same job. */
  public static boolean isReduced(WhatIfOutcome before, WhatIfOutcome after) {
    Connection old = before.connection();
    Connection now = after.connection();
    Topology machine = before.machine().topology();
    Topology reduced = after.machine().topology();
    return old.nRanks() == now.nRanks()
        && old.nNodes() == now.nNodes()
        && old.profile().version().equals(now.profile().version())
        && before.machine().settings().equals(after.machine().settings())
        && ReducedMachine.isReduced(machine, reduced)
        && !ReducedMachine.isReduced(reduced, machine);
  }

  private static Optional<String> ofCall(WhatIfOutcome before, WhatIfOutcome after, Call call) {
    Optional<Prediction> was = before.prediction(call);
    Optional<Prediction> is = after.prediction(call);
    if (was.isEmpty() || is.isEmpty() || !isFaster(was.get(), is.get())) {
      return Optional.empty();
    }
    Connection old = before.connection();
    Connection now = after.connection();
    String name =
        call.operation().label() + " " + QuantityFormat.size(call.sizeBytes()) + " is faster as ";
    if (is.get().channels() > was.get().channels() && now.nChannels() > old.nChannels()) {
      return Optional.of(name + moreChannels(old, now));
    }
    return is.get()
        .tunedAlgorithm()
        .filter(algorithm -> is.get().channels() == was.get().channels())
        .flatMap(algorithm -> otherSearch(old, now, algorithm))
        .map(other -> name + "NCCL's search " + other);
  }

  private static Optional<String> otherSearch(Connection old, Connection now, Algorithm algorithm) {
    if (isOtherRoute(old, now, algorithm)) {
      return Optional.of("finds other rings or trees for the same number of channels");
    }
    return ports(old, algorithm).equals(ports(now, algorithm))
        ? Optional.empty()
        : Optional.of("takes other ports for the same rings or trees");
  }

  /** Times by different models are not compared. */
  private static boolean isFaster(Prediction was, Prediction is) {
    return was.tunedAlgorithm().equals(is.tunedAlgorithm())
        && TimeChange.areComparable(was, is)
        && TimeChange.isMore(is.busbwGBps(), was.busbwGBps());
  }

  private static String moreChannels(Connection old, Connection now) {
    String found =
        old.searchedChannels() == now.searchedChannels()
            ? ""
            : TextWriter.format(
                "it finds %s on a node instead of %d; ",
                QuantityFormat.count(now.searchedChannels(), "ring"), old.searchedChannels());
    return TextWriter.format(
        "NCCL uses %s instead of %d by rules of its own: %s%s",
        QuantityFormat.count(now.nChannels(), "channel"),
        old.nChannels(),
        found,
        QuantityFormat.joined("; ", now.channelSteps(), ChannelPlan.Step::reason));
  }

  private static boolean isOtherRoute(Connection old, Connection now, Algorithm algorithm) {
    return IntStream.range(0, Math.min(old.nChannels(), now.nChannels()))
        .anyMatch(
            channel ->
                switch (algorithm) {
                  case RING -> isOtherRing(old, now, channel);
                  case TREE -> isOtherTree(old, now, channel);
                  default -> false;
                });
  }

  /** The names of the ports by which channels enter and leave the first node. */
  private static List<Optional<String>> ports(Connection connection, Algorithm algorithm) {
    List<NetNode> nets = connection.domain(0).topology().nets();
    return connection.searchedGraphs(0).get(algorithm.graph()).channels().stream()
        .flatMap(channel -> channel.nets().stream())
        .flatMap(ends -> Stream.of(ends.in(), ends.out()))
        .map(id -> nets.stream().filter(net -> net.id().equals(id)).findFirst())
        .map(net -> net.map(NetNode::name))
        .toList();
  }

  private static boolean isOtherRing(Connection old, Connection now, int channel) {
    return !Arrays.equals(old.rings().order(channel), now.rings().order(channel));
  }

  private static boolean isOtherTree(Connection old, Connection now, int channel) {
    return IntStream.range(0, now.nRanks())
        .anyMatch(
            rank -> !old.trees().links(channel, rank).equals(now.trees().links(channel, rank)));
  }
}
