package dev.topo.inspect.agreement;

import dev.topo.inspect.agreement.Fact.Topic;
import dev.topo.inspect.log.TuningLog;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.cost.CollectiveCall;
import dev.topo.search.cost.CommFacts;
import dev.topo.search.launch.ChannelShare;
import dev.topo.search.launch.Decision;
import dev.topo.search.launch.ThreadLimits;
import dev.topo.search.tuning.Tuner;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds a tuner against the table and the choices of a rank. The log does not say type and operator
 * of a call, nor which calls were grouped: calls are taken for lone sums of single precision
 * numbers.
 */
final class TuningComparison {
  private final Tuner tuner;
  private final Facts facts;

  TuningComparison(Tuner tuner, Facts facts) {
    this.tuner = tuner;
    this.facts = facts;
  }

  void compare(TuningLog log) {
    ThreadLimits limits = tuner.threadLimits();
    for (TuningLog.MaxThreads line : log.threads()) {
      facts.add(
          Topic.THREADS,
          pair(line.algorithm(), line.protocol()),
          line.threads(),
          limits.maxThreads(line.algorithm(), line.protocol()));
    }
    log.model().forEach(this::model);
    if (!log.thresholds().isEmpty()) {
      facts.add(Topic.THREADS, "thresholds", log.thresholds(), thresholds(limits));
    }
    log.choices().forEach(this::choice);
  }

  private static String pair(Algorithm algorithm, Protocol protocol) {
    return algorithm.label() + "/" + protocol.label();
  }

  private void model(TuningLog.Model line) {
    Collective collective = line.collective();
    Algorithm algorithm = line.algorithm();
    Protocol protocol = line.protocol();
    facts.add(
        Topic.MODEL,
        collective.label() + " " + pair(algorithm, protocol),
        line.latencyUs() + "/" + line.bandwidthGBps(),
        Facts.rounded(tuner.model().latencyUs(collective, algorithm, protocol), 1)
            + "/"
            + Facts.rounded(tuner.model().bandwidthGBps(collective, algorithm, protocol), 1));
  }

  /** In the order of the line: Tree, Ring, and Simple of both kinds of CollNet. */
  private static List<Long> thresholds(ThreadLimits limits) {
    List<Long> thresholds = new ArrayList<>();
    for (Algorithm algorithm : List.of(Algorithm.TREE, Algorithm.RING)) {
      for (Protocol protocol : Protocol.values()) {
        thresholds.add(limits.thresholdBytes(algorithm, protocol));
      }
    }
    thresholds.add(limits.thresholdBytes(Algorithm.COLLNET_DIRECT, Protocol.SIMPLE));
    thresholds.add(limits.thresholdBytes(Algorithm.COLLNET_CHAIN, Protocol.SIMPLE));
    return thresholds;
  }

  private void choice(TuningLog.Choice line) {
    CollectiveCall call = CollectiveCall.of(line.collective(), sizeBytes(line));
    Decision decision = tuner.decide(call);
    facts.addIf(
        decision.choice().isPresent(),
        Topic.CHOICE,
        line.collective().label() + " " + call.sizeBytes() + " B",
        text(line.algorithm(), line.protocol(), line.lastChannel() - line.firstChannel() + 1),
        () -> text(call, decision.choice().orElseThrow()));
  }

  private String text(CollectiveCall call, Decision.Choice choice) {
    return text(
        choice.algorithm(), choice.protocol(), ChannelShare.channels(tuner.facts(), call, choice));
  }

  private static String text(Algorithm algorithm, Protocol protocol, int channels) {
    return pair(algorithm, protocol)
        + " on "
        + channels
        + (channels == 1 ? " channel" : " channels");
  }

  /** The log has the count of a call; NCCL tunes by the larger of a rank's buffers. */
  private long sizeBytes(TuningLog.Choice line) {
    CommFacts comm = tuner.facts();
    return switch (line.collective()) {
      case ALL_GATHER, REDUCE_SCATTER ->
          line.countBytes() > Long.MAX_VALUE / comm.nRanks()
              ? Long.MAX_VALUE
              : line.countBytes() * comm.nRanks();
      case ALL_REDUCE, BROADCAST, REDUCE -> line.countBytes();
    };
  }
}
