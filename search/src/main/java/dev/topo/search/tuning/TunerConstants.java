package dev.topo.search.tuning;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;

/**
 * NCCL's tuning constants ({@code ncclTunerConstantsDefaults} unless said otherwise, {@code
 * nccl:src/graph/tuning.cc}, NCCL 2.28.9). NCCL's authors measured them. Rows of bandwidths are GPU
 * generations, columns are jobs of one node, of two, of more. Latencies are in microseconds,
 * bandwidths in GB/s.
 */
final class TunerConstants {
  /** What a step goes over ({@code NCCL_HW_*}). */
  enum Hardware {
    NVLINK(0),
    PCI(1),
    NET(2);

    private final int row;

    Hardware(int row) {
      this.row = row;
    }
  }

  /** Columns: LL, LL128, Simple. Rows: algorithms in NCCL's order. */
  private static final double[][] BASE_LATENCY = {
    {6.8, 14.0, 8.4}, // Tree
    {6.6, 14.0, 8.4}, // Ring
    {0, 0, 0}, // CollNetDirect
    {0, 0, 0}, // CollNetChain
    {0, 0, 0}, // NVLS
    {0, 0, 0}, // NVLSTree
    {8.0, 8.0, 8.0}, // PAT
  };

  /** One step over {@link Hardware}; rows and columns as above. */
  private static final double[][][] STEP_LATENCY = {
    {
      {0.6, 1.25, 4.0},
      {0.6, 1.9, 3.4},
      {0, 0, 3.7},
      {0, 0, 2.8},
      {0, 0, 25},
      {0, 0, 25},
      {0, 0, 4.0},
    },
    {
      {1.0, 1.9, 4.0},
      {1.0, 2.5, 5.7},
      {0, 0, 3.7},
      {0, 0, 2.8},
      {0, 0, 0},
      {0, 0, 0},
      {0, 0, 4.0},
    },
    {
      {5.0, 8.5, 14},
      {2.7, 4.0, 14.0},
      {0, 0, 31},
      {0, 0, 30},
      {0, 0, 18},
      {0, 0, 20.9},
      {0, 0, 14},
    },
  };

  /**
   * The most that LL reaches on all channels together. Between nodes the CPU decides, not the GPU:
   * the first row counts for Intel and others, the second for AMD and for a mixture.
   */
  private static final double[][] LL_MAX = {
    {39.0, 39.0, 20.4}, {87.7, 22.5, 19.0}, {141.0, 45.0, 35.0}, {282.0, 90.0, 70.0},
  };

  private static final int LL_ROW_OTHER_CPU = 0;
  private static final int LL_ROW_AMD_CPU = 1;

  private static final double[][] RING_LL128_CHANNEL_MAX = {
    {20.0, 20.0, 20.0}, {20.0, 20.0, 20.0}, {36.7, 36.7, 36.7}, {73.4, 34.6, 73.4},
  };

  private static final double[][] TREE_LL128_CHANNEL_MAX = {
    {20.0, 20.0, 20.0}, {20.0, 20.0, 20.0}, {36.7, 36.7, 29.0}, {55.6, 31.67, 20.0},
  };

  private static final double[][] TREE_CHANNEL_MAX = {
    {26.5, 18.5, 10.0}, {24.0, 23.6, 17.8}, {38.7, 41.4, 36.0}, {70.0, 42.8, 24.0},
  };

  private static final double[][] NVLS_TREE_CHANNEL_MAX = {
    {26.5, 18.5, 10.0}, {24.0, 23.6, 17.8}, {0.0, 57.7, 45.5}, {0.0, 96.0, 43.8},
  };

  /** The share of NVLink bandwidth that multicast reaches ({@code nvlsEfficiency}). */
  private static final float[] NVLS_EFFICIENCY = {0.0f, 0.0f, 0.85f, 0.74f};

  /**
   * What trees reach of their bandwidth at medium sizes, by powers of two from 64 B to 256 MiB;
   * rows are protocols ({@code treeCorrectionFactor}).
   */
  private static final float[][] TREE_CORRECTION = {
    {
      1.0f, 1.0f, 1.0f, 1.0f, 0.9f, 0.8f, 0.7f, 0.7f, 0.7f, 0.7f, 0.6f, 0.5f, 0.4f, 0.4f, 0.5f,
      0.6f, 0.7f, 0.8f, 0.9f, 1.0f, 1.0f, 1.0f, 1.0f
    },
    {
      1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 0.9f, 0.8f, 0.8f, 0.8f, 0.7f, 0.6f, 0.6f, 0.6f, 0.6f, 0.6f,
      0.6f, 0.8f, 0.9f, 0.9f, 0.9f, 0.9f, 1.0f, 1.0f
    },
    {
      0.9f, 0.9f, 0.9f, 0.9f, 0.9f, 0.9f, 0.9f, 0.8f, 0.7f, 0.6f, 0.6f, 0.5f, 0.5f, 0.5f, 0.5f,
      0.6f, 0.7f, 0.8f, 0.7f, 0.7f, 0.8f, 0.9f, 0.9f
    },
  };

  private static final int TREE_CORRECTION_FIRST_LOG2 = 6;

  private static final int SCALES = 3;

  private TunerConstants() {}

  /** What an algorithm costs before its first step. */
  static double baseLatencyUs(Algorithm algorithm, Protocol protocol) {
    return BASE_LATENCY[algorithm.number()][protocol.number()];
  }

  /** What one step of an algorithm costs. */
  static double stepLatencyUs(Hardware hardware, Algorithm algorithm, Protocol protocol) {
    return STEP_LATENCY[hardware.row][algorithm.number()][protocol.number()];
  }

  private static double atScale(double[] row, int nNodes) {
    return row[Math.min(nNodes, SCALES) - 1];
  }

  /** The most that LL reaches inside a node of this generation. */
  static double llMaxOnNode(Generation generation) {
    return atScale(LL_MAX[generation.row()], 1);
  }

  /** The most that LL reaches between nodes. */
  static double llMaxBetweenNodes(boolean amd, int nNodes) {
    return atScale(LL_MAX[amd ? LL_ROW_AMD_CPU : LL_ROW_OTHER_CPU], nNodes);
  }

  /** The most that a channel of Ring reaches with LL128. */
  static double ringLl128ChannelMax(Generation generation, int nNodes) {
    return atScale(RING_LL128_CHANNEL_MAX[generation.row()], nNodes);
  }

  /** The most that a channel of Tree reaches with LL128. */
  static double treeLl128ChannelMax(Generation generation, int nNodes) {
    return atScale(TREE_LL128_CHANNEL_MAX[generation.row()], nNodes);
  }

  /** The most that a channel of Tree reaches with any protocol. */
  static double treeChannelMax(Generation generation, int nNodes) {
    return atScale(TREE_CHANNEL_MAX[generation.row()], nNodes);
  }

  /** The most that a channel of NVLSTree reaches. */
  static double nvlsTreeChannelMax(Generation generation, int nNodes) {
    return atScale(NVLS_TREE_CHANNEL_MAX[generation.row()], nNodes);
  }

  /** The share of NVLink bandwidth that multicast reaches. */
  static float nvlsEfficiency(Generation generation) {
    return NVLS_EFFICIENCY[generation.row()];
  }

  /** The share of its bandwidth that a tree reaches at a size. */
  static float treeCorrection(Protocol protocol, long sizeBytes) {
    float[] row = TREE_CORRECTION[protocol.number()];
    int place = Long.SIZE - 1 - Long.numberOfLeadingZeros(sizeBytes) - TREE_CORRECTION_FIRST_LOG2;
    return place >= 0 && place < row.length ? row[place] : 1;
  }
}
