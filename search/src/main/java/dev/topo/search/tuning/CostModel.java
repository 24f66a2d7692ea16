package dev.topo.search.tuning;

import dev.topo.model.CpuArch;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.CollectiveCall;
import dev.topo.model.operation.DataType;
import dev.topo.model.operation.Protocol;
import dev.topo.model.operation.ReductionOperator;
import dev.topo.search.rules.AlgorithmRules;
import dev.topo.search.rules.TuningRules;

/**
 * The time of a call with an algorithm and protocol in NCCL's model ({@code updateCollCostTable},
 * {@code nccl:src/enqueue.cc}, and {@code ncclTopoGetAlgoTime}, {@code nccl:src/graph/tuning.cc}).
 */
final class CostModel {
  /** In place of a time: the pair cannot be used. */
  static final float UNAVAILABLE = -1;

  /** 1 GB/s in bytes for each microsecond. */
  private static final float BYTES_PER_US = 1000;

  private final CommFacts facts;
  private final TuningRules rules;
  private final TuningModel model;
  private final int nRanks;
  private final int nNodes;
  private final int maxLocalRanks;
  private final long ringShare;
  private final double plateauFactor;

  CostModel(CommFacts facts, TuningModel model) {
    this.facts = facts;
    this.rules = facts.profile().tuning();
    this.model = model;
    this.nRanks = facts.nRanks();
    this.nNodes = facts.nNodes();
    this.maxLocalRanks = facts.maxLocalRanks();
    this.ringShare = (long) facts.nChannels() * nRanks;
    this.plateauFactor = rules.ringPlateauFactor.at(facts.minSm());
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
   * Time in microseconds of the ring that NCCL falls back to where no pair can run a call; negative
   * if it does not.
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
      if (protocol == Protocol.SIMPLE && isOnPlateau(call)) {
        latency = (float) (latency * plateauFactor);
      }
    } else {
      latencies = (latencies + rules.callsPerBatch - 1) / rules.callsPerBatch;
    }
    if (algorithm == Algorithm.TREE) {
      bandwidth *= rules.treeCorrection(protocol, call.sizeBytes());
    } else if (algorithm == Algorithm.NVLS_TREE && facts.cpu().is(CpuArch.X86)) {
      bandwidth *= rules.nvlsTreeCorrection(facts.minSm(), call.sizeBytes());
    }
    float time = latency * latencies + call.sizeBytes() / (BYTES_PER_US * bandwidth);
    boolean losesPrecision =
        algorithm == Algorithm.RING && nRanks > rules.float8MaxRing && call.reducesFloat8();
    return losesPrecision ? time * rules.float8RingPenalty : time;
  }

  /**
   * The size from which a ring over several nodes is slower to start: the one place, apart from the
   * powers of two that correct trees, at which a time is not a straight line of the size.
   */
  long plateauBytes() {
    return rules.ringPlateauBytes * ringShare;
  }

  private boolean isOnPlateau(CollectiveCall call) {
    return nNodes > 1
        && call.collective() == Collective.ALL_REDUCE
        && call.sizeBytes() / ringShare >= rules.ringPlateauBytes;
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
      case PAT -> call.collective() != Collective.REDUCE_SCATTER || !call.operator().isScaledSum();
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
            || facts.localRanks().get(0) <= rules.algorithms.nvlsMaxGpus;
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
