package dev.topo.search.cost;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.model.settings.NcclSettings;
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

  /**
   * The model of a communicator.
   *
   * @throws dev.topo.model.settings.SettingException if NCCL would not start with NCCL_ALGO or
   *     NCCL_PROTO
   */
  public TuningModel(CommFacts facts, NcclSettings settings) {
    if (facts.nRanks() == 1) {
      return;
    }
    int minNvlsChannels = facts.profile().tuning().minNvlsChannels;
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
          if (rules.isEnabled(collective, algorithm, protocol)) {
            row(bandwidths, collective)[at] =
                bandwidth.bandwidthGBps(collective, algorithm, protocol);
          }
        }
      }
    }
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

  /** Latency in microseconds; NCCL states it for some pairs that it does not use, too. */
  public float latencyUs(Collective collective, Algorithm algorithm, Protocol protocol) {
    return row(latencies, collective)[index(algorithm, protocol)];
  }
}
