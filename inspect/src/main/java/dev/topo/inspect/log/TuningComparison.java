package dev.topo.inspect.log;

import dev.topo.inspect.log.Fact.Topic;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.tuning.Tuner;
import dev.topo.search.tuning.Tuner.ThreadLimits;
import java.util.ArrayList;
import java.util.List;

/** Compares a tuner with the table of a rank. */
record TuningComparison(Tuner tuner, Facts facts) {
  void compare(TuningLog log) {
    ThreadLimits limits = tuner.threadLimits();
    for (TuningLog.MaxThreads line : log.threads()) {
      facts.add(
          Topic.THREADS,
          new Pair(line.algorithm(), line.protocol()).label(),
          line.threads(),
          limits.maxThreads(line.algorithm(), line.protocol()));
    }
    log.model().forEach(this::model);
    if (!log.thresholds().isEmpty()) {
      facts.add(Topic.THREADS, "thresholds", log.thresholds(), thresholds(limits));
    }
  }

  private void model(TuningLog.Model line) {
    Collective collective = line.collective();
    Algorithm algorithm = line.algorithm();
    Protocol protocol = line.protocol();
    float bandwidth = tuner.model().bandwidthGBps(collective, algorithm, protocol);
    if (bandwidth == 0 && !tuner.facts().profile().tuning().logsUnusedAsZero) {
      return;
    }
    facts.add(
        Topic.MODEL,
        collective.label() + " " + new Pair(algorithm, protocol).label(),
        line.latencyUs() + "/" + line.bandwidthGBps(),
        Facts.rounded(tuner.model().latencyUs(collective, algorithm, protocol), 1)
            + "/"
            + Facts.rounded(bandwidth, 1));
  }

  /** Thresholds in the order of the line: Tree, Ring, and Simple for both kinds of CollNet. */
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
}
