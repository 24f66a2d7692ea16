package dev.topo.search.tuning;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Bandwidth and latency of every collective by every algorithm and protocol, as NCCL assumes them
 * for a communicator: the table that it prints when it starts ({@code ncclTopoTuneModel}, {@code
 * nccl:src/graph/tuning.cc}). A bandwidth of 0 means that the pair is not used. Immutable.
 */
public final class TuningModel {
  private static final int ALGORITHMS = Algorithm.values().length;
  private static final int PROTOCOLS = Protocol.values().length;

  private final Map<Collective, float[]> bandwidths = table();
  private final Map<Collective, float[]> latencies = table();
  private final Map<Collective, float[]> fallbacks = table();

  /**
   * The model of a communicator.
   *
   * @throws dev.topo.model.job.SettingException if NCCL would not start with NCCL_ALGO or
   *     NCCL_PROTO
   */
  TuningModel(CommFacts facts, NcclSettings settings) {
    if (facts.nRanks() == 1) {
      return;
    }
    int minNvlsChannels = facts.profile().tuning().algorithms.minNvlsChannels;
    EnablingRules rules = new EnablingRules(facts, settings);
    BandwidthModel bandwidth = new BandwidthModel(facts);
    LatencyModel latency = new LatencyModel(facts, settings);
    for (Collective collective : Collective.values()) {
      for (Algorithm algorithm : Algorithm.values()) {
        for (Protocol protocol : Protocol.values()) {
          if (!rules.hasKernel(collective, algorithm, protocol)
              || (algorithm.isNvls() && facts.graph(algorithm).nChannels() < minNvlsChannels)) {
            continue;
          }
          int at = index(algorithm, protocol);
          row(latencies, collective)[at] = latency.latencyUs(collective, algorithm, protocol);
          boolean fallsBack = algorithm == Algorithm.RING && rules.fallsBack(collective, protocol);
          if (fallsBack || rules.isEnabled(collective, algorithm, protocol)) {
            float found = bandwidth.bandwidthGBps(collective, algorithm, protocol);
            row(fallsBack ? fallbacks : bandwidths, collective)[at] = found;
          }
        }
      }
      fallBackWhereNothingIsLeft(collective);
    }
  }

  private void fallBackWhereNothingIsLeft(Collective collective) {
    float[] row = row(bandwidths, collective);
    for (float bandwidth : row) {
      if (bandwidth != 0) {
        return;
      }
    }
    System.arraycopy(row(fallbacks, collective), 0, row, 0, row.length);
  }

  private static Map<Collective, float[]> table() {
    Map<Collective, float[]> table = new EnumMap<>(Collective.class);
    for (Collective collective : Collective.values()) {
      table.put(collective, new float[ALGORITHMS * PROTOCOLS]);
    }
    return table;
  }

  private static int index(Algorithm algorithm, Protocol protocol) {
    return algorithm.number() * PROTOCOLS + protocol.number();
  }

  private static float[] row(Map<Collective, float[]> table, Collective collective) {
    return Objects.requireNonNull(table.get(collective));
  }

  /** Bandwidth in GB/s of the size of a call; 0 if the pair is not used for the collective. */
  public float bandwidthGBps(Collective collective, Algorithm algorithm, Protocol protocol) {
    return row(bandwidths, collective)[index(algorithm, protocol)];
  }

  /**
   * Bandwidth in GB/s of a ring that is not used for the collective unless nothing else is left; 0
   * if it is used or NCCL does not fall back to it.
   */
  float fallbackBandwidthGBps(Collective collective, Protocol protocol) {
    return row(fallbacks, collective)[index(Algorithm.RING, protocol)];
  }

  /** Latency in microseconds; NCCL states it for some pairs that it does not use, too. */
  public float latencyUs(Collective collective, Algorithm algorithm, Protocol protocol) {
    return row(latencies, collective)[index(algorithm, protocol)];
  }
}
