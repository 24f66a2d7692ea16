package dev.topo.search.tuning;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.Link.PathType;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.rules.AlgorithmRules;
import dev.topo.search.rules.TuningRules;
import java.util.List;

/**
 * Bandwidth and latency of every collective by every algorithm and protocol, as NCCL assumes them
 * for a communicator: the table that it prints at start-up ({@code ncclTopoTuneModel}, {@code
 * nccl:src/graph/tuning.cc}). A bandwidth of 0 means that the pair is not used. Immutable.
 */
public final class TuningModel {
  private static final int COLLECTIVES = Collective.values().length;
  private static final int PROTOCOLS = Protocol.values().length;
  private static final int PAIRS = Algorithm.values().length * PROTOCOLS;

  private final float[] bandwidths = table();
  private final float[] latencies = table();
  private final float[] fallbacks = table();

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
          int at = index(collective, algorithm, protocol);
          latencies[at] = latency.latencyUs(collective, algorithm, protocol);
          boolean fallsBack = algorithm == Algorithm.RING && rules.fallsBack(collective, protocol);
          if (fallsBack || rules.isEnabled(collective, algorithm, protocol)) {
            float found = bandwidth.bandwidthGBps(collective, algorithm, protocol);
            (fallsBack ? fallbacks : bandwidths)[at] = found;
          }
        }
      }
      fallBackIfNoPairIsEnabled(collective);
    }
  }

  /** Enables the fallback rings of a collective for which no pair is enabled. */
  private void fallBackIfNoPairIsEnabled(Collective collective) {
    int begin = collective.ordinal() * PAIRS;
    for (int at = begin; at < begin + PAIRS; at++) {
      if (bandwidths[at] != 0) {
        return;
      }
    }
    System.arraycopy(fallbacks, begin, bandwidths, begin, PAIRS);
  }

  private static float[] table() {
    return new float[COLLECTIVES * PAIRS];
  }

  private static int index(Collective collective, Algorithm algorithm, Protocol protocol) {
    return collective.ordinal() * PAIRS + algorithm.number() * PROTOCOLS + protocol.number();
  }

  /** Bandwidth in GB/s of the size of a call; 0 if the pair is not used for the collective. */
  public float bandwidthGBps(Collective collective, Algorithm algorithm, Protocol protocol) {
    return bandwidths[index(collective, algorithm, protocol)];
  }

  /**
   * Bandwidth in GB/s of a ring that is used for the collective only if no other pair can run a
   * call; 0 if the ring is enabled or NCCL does not fall back to it.
   */
  float fallbackBandwidthGBps(Collective collective, Protocol protocol) {
    return fallbacks[index(collective, Algorithm.RING, protocol)];
  }

  /** Latency in microseconds; also set for some pairs that NCCL does not use. */
  public float latencyUs(Collective collective, Algorithm algorithm, Protocol protocol) {
    return latencies[index(collective, algorithm, protocol)];
  }

  /**
   * The time of a call with an algorithm and protocol in NCCL's model ({@code updateCollCostTable},
   * {@code nccl:src/enqueue.cc}, and {@code ncclTopoGetAlgoTime}, {@code
   * nccl:src/graph/tuning.cc}).
   */
  static final class CostModel {
    /** Marks a pair that cannot be used. */
    static final float UNAVAILABLE = -1;

    /** The time of a pair that NCCL runs only if no other pair can run the call. */
    static final float LAST_RESORT_US = Float.MAX_VALUE / 2;

    /** 1 GB/s in bytes per microsecond. */
    private static final float BYTES_PER_US = 1000;

    private final CommFacts facts;
    private final TuningRules rules;
    private final TuningModel model;
    private final int nRanks;
    private final int nNodes;
    private final int maxLocalRanks;
    private final long ringShare;

    CostModel(CommFacts facts, TuningModel model) {
      this.facts = facts;
      this.rules = facts.profile().tuning();
      this.model = model;
      this.nRanks = facts.nRanks();
      this.nNodes = facts.nNodes();
      this.maxLocalRanks = facts.maxLocalRanks();
      this.ringShare = (long) facts.nChannels() * nRanks;
    }

    /** Time in microseconds; negative if the pair cannot be used for the call. */
    float timeUs(CollectiveCall call, Algorithm algorithm, Protocol protocol) {
      if (nRanks == 1) {
        boolean copy = algorithm == Algorithm.RING && protocol == Protocol.SIMPLE;
        return copy ? 0 : UNAVAILABLE;
      }
      float bandwidth = model.bandwidthGBps(call.collective(), algorithm, protocol);
      return bandwidth == 0 || !canRun(call, algorithm)
          ? UNAVAILABLE
          : timeUs(call, algorithm, protocol, bandwidth);
    }

    /**
     * True if NCCL considers a pair with a time from {@link #timeUs}: one of last resort counts
     * only if no other pair can run the call.
     */
    boolean isWeighed(CollectiveCall call, float timeUs) {
      return timeUs >= 0 && (timeUs < LAST_RESORT_US || hasLastResortOnly(call));
    }

    private boolean hasLastResortOnly(CollectiveCall call) {
      for (Algorithm algorithm : Algorithm.values()) {
        for (Protocol protocol : Protocol.values()) {
          float time = timeUs(call, algorithm, protocol);
          if (time >= 0 && time < LAST_RESORT_US) {
            return false;
          }
        }
      }
      return true;
    }

    /**
     * Time in microseconds of the ring that NCCL falls back to where no pair can run a call;
     * negative if it does not.
     */
    float fallbackTimeUs(CollectiveCall call, Protocol protocol) {
      float bandwidth = nRanks == 1 ? 0 : model.fallbackBandwidthGBps(call.collective(), protocol);
      return bandwidth == 0 ? UNAVAILABLE : timeUs(call, Algorithm.RING, protocol, bandwidth);
    }

    private float timeUs(
        CollectiveCall call, Algorithm algorithm, Protocol protocol, float fullBandwidth) {
      float bandwidth = fullBandwidth;
      float latency = model.latencyUs(call.collective(), algorithm, protocol);
      int latencies = rules.groupedLatencies ? call.pipelinedCalls() : 1;
      if (algorithm == Algorithm.RING) {
        if (protocol == Protocol.SIMPLE) {
          latency = (float) (latency * plateau(call));
        }
      } else {
        latencies = (latencies + rules.callsPerBatch - 1) / rules.callsPerBatch;
      }
      if (algorithm == Algorithm.TREE) {
        bandwidth *= rules.treeCorrection(protocol, call.sizeBytes());
      } else if (algorithm == Algorithm.NVLS_TREE && correctsNvlsTree(call.sizeBytes())) {
        bandwidth *= rules.nvlsTreeCorrection(facts.minSm(), call.sizeBytes());
      }
      float time = latency * latencies + call.sizeBytes() / (BYTES_PER_US * bandwidth);
      if (algorithm == Algorithm.PAT && facts.hasPatOverNvls()) {
        return LAST_RESORT_US;
      }
      boolean losesPrecision =
          algorithm == Algorithm.RING && nRanks > rules.float8MaxRing && call.reducesFloat8();
      return losesPrecision ? time * rules.float8RingPenalty : time;
    }

    /**
     * The sizes at which the slope of a ring's time changes because of its start-up cost. Apart
     * from the powers of two at which the corrections of trees change, these are the only sizes at
     * which a time is not linear in the size.
     */
    List<Long> plateauBytes() {
      return rules.ringPlateau.bends().stream().map(share -> share * ringShare).toList();
    }

    private double plateau(CollectiveCall call) {
      long share = call.sizeBytes() / ringShare;
      if (nNodes > 1) {
        return rules.ringPlateau.betweenNodes(call.collective(), facts.minSm(), share);
      }
      int steps = LatencyModel.ringSteps(call.collective(), nRanks);
      return facts.graph(Algorithm.RING).typeIntra() == PathType.NVL
          ? rules.ringPlateau.onOneNode(call.collective(), facts.minSm(), steps, share)
          : 1;
    }

    private boolean correctsNvlsTree(long sizeBytes) {
      return facts.cpu().is(CpuArch.X86)
          || (facts.cpu().is(CpuArch.ARM)
              && rules.correctsNvlsTreeOnArm(
                  facts.localRanks(), facts.slowestPortGBps(), sizeBytes));
    }

    private boolean canRun(CollectiveCall call, Algorithm algorithm) {
      AlgorithmRules limits = rules.algorithms;
      boolean collNet = facts.collNet().isPresent();
      return switch (algorithm) {
        case TREE, RING -> true;
        case COLLNET_DIRECT -> collNet && maxLocalRanks <= limits.collNetDirectMaxGpus;
        case COLLNET_CHAIN -> collNet && maxLocalRanks <= limits.collNetChainMaxGpus;
        case NVLS -> canMulticast(call) && (nNodes == 1 || (collNet && reachesNodes(call)));
        case NVLS_TREE -> canMulticast(call);
        case PAT ->
            call.collective() != Collective.REDUCE_SCATTER
                || ((limits.patScaledSums || !call.operator().isScaledSum())
                    && (!facts.hasPatOverNvls()
                        || canReduceInSwitch(call.operator(), call.dataType())));
      };
    }

    private boolean reachesNodes(CollectiveCall call) {
      return call.collective() == Collective.ALL_REDUCE || rules.algorithms.nvlsGathersBetweenNodes;
    }

    private boolean canMulticast(CollectiveCall call) {
      if (!facts.nvls()) {
        return false;
      }
      boolean fits =
          call.collective() == Collective.ALL_REDUCE
              || (facts.localRanks().get(0) <= rules.algorithms.nvlsMaxGpus
                  && facts.graph(Algorithm.NVLS).nChannels() <= rules.algorithms.nvlsMaxChannels);
      boolean copies =
          call.collective() == Collective.ALL_GATHER && rules.algorithms.nvlsGathersAnyType;
      return fits && (copies || canReduceInSwitch(call.operator(), call.dataType()));
    }

    /** {@code ncclNvlsSupported}, {@code nccl:src/include/device.h}. */
    private static boolean canReduceInSwitch(ReductionOperator operator, DataType type) {
      boolean minMax = operator == ReductionOperator.MIN || operator == ReductionOperator.MAX;
      return switch (type) {
        case INT32, UINT32, INT64, UINT64, FLOAT16, BFLOAT16 ->
            minMax || operator == ReductionOperator.SUM;
        case FLOAT32, FLOAT64 -> operator == ReductionOperator.SUM;
        case INT8, UINT8, FLOAT8_E4M3, FLOAT8_E5M2 -> false;
      };
    }
  }
}
