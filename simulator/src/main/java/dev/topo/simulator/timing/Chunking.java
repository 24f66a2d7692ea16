package dev.topo.simulator.timing;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.connect.BufferSizes;

/**
 * The bytes that a channel moves in one step ({@code calcCollChunking}, {@code
 * nccl:src/enqueue.cc}), for rings and trees.
 */
public final class Chunking {
  /** Steps that a buffer is divided into ({@code NCCL_STEPS}). */
  private static final int STEPS = 8;

  /**
   * Steps that a chunk of Simple spans where data goes round a ring ({@code ALLREDUCE_CHUNKSTEPS}).
   */
  private static final int RING_CHUNK_STEPS = STEPS / 2;

  /** Data and flags of a line of LL128, in words. */
  private static final int LL128_LINE_WORDS = 16;

  private static final int LL128_DATA_WORDS = 15;

  /** The unit that LL128 moves at once ({@code ncclProtoGrainSize}); chunks are multiples of it. */
  private static final int LL128_GRAIN = 1920;

  /** Chunks of trees by Simple, and for how many chunks of each hop larger ones are halved. */
  private static final int[][] TREE_PIECES = {{131_072, 8}, {65_536, 4}, {32_768, 1}};

  private static final int LL128_TREE_LARGE = 131_072;
  private static final int LL128_TREE_SMALL = 32_768;

  private static final String NVLS_CHUNKSIZE = "NCCL_NVLS_CHUNKSIZE";
  private static final String NVLS_TREE_MAX_CHUNKSIZE = "NCCL_NVLSTREE_MAX_CHUNKSIZE";
  private static final int NVLS_CHUNK = 131_072;

  /** Chunks of Simple are multiples of it ({@code ncclProtoGrainSize}). */
  private static final int SIMPLE_GRAIN = 512;

  private static final int NVLS_TREE_CHUNK = 65_536;
  private static final int NVLS_TREE_NODES = 4;
  private static final int UNSET = -2;

  /** Chunks of NVLS, and of how many all heads must have as many for larger ones. */
  private static final int[][] NVLS_PIECES = {{65_536, 64}, {32_768, 8}, {16_384, 2}};

  /** Bytes that a channel moves in one step by NVLSTree. */
  private static final int[][] NVLS_TREE_PIECES = {
    {262_144, 32}, {131_072, 16}, {65_536, 4}, {32_768, 1}
  };

  private Chunking() {}

  /**
   * The largest piece that a channel moves in one step.
   *
   * @param shareBytes what the channel has to move of the count of the call
   */
  public static int chunkBytes(
      Collective collective,
      Algorithm algorithm,
      Protocol protocol,
      long shareBytes,
      int nNodes,
      int nRanks,
      BufferSizes buffers) {
    int step = buffers.of(protocol) / STEPS;
    return switch (protocol) {
      case LL -> step / 2;
      case LL128 -> {
        int data = step / LL128_LINE_WORDS * LL128_DATA_WORDS;
        int chunk =
            algorithm == Algorithm.TREE ? ll128Tree(data, shareBytes, nNodes, nRanks) : data;
        yield chunk / LL128_GRAIN * LL128_GRAIN;
      }
      case SIMPLE ->
          algorithm == Algorithm.RING && goesRound(collective) ? step * RING_CHUNK_STEPS : step;
    };
  }

  /**
   * The bytes that a channel moves in one step by NVLSTree, a chunk for each head: smaller from
   * four nodes on and for small calls ({@code calcCollChunking}, 2.19 to 2.30; 2.30 has other sizes
   * for GPUs of compute capability 10 with NICs of 800 Gb/s).
   *
   * @param bytes size of the call
   * @param heads NVLS heads of a node
   */
  public static int nvlsTreeBytes(
      long bytes, int channels, int heads, int nNodes, NcclSettings settings) {
    int chunk = settings.integer(NVLS_CHUNKSIZE, NVLS_CHUNK);
    int most = settings.integer(NVLS_TREE_MAX_CHUNKSIZE, UNSET);
    if (most == UNSET) {
      most = nNodes >= NVLS_TREE_NODES ? NVLS_TREE_CHUNK : chunk;
    }
    return ofAllHeads(Math.min(chunk, most), NVLS_TREE_PIECES, bytes, channels, heads);
  }

  /**
   * Bytes that a channel moves in one step by NVLS on one node, a chunk for each head ({@code
   * calcCollChunking}, 2.19 to 2.30; before 2.23 the largest chunk could not be set).
   *
   * @param bytes size of the call
   * @param buffers a chunk is no larger than a step of those of Simple
   */
  public static int nvlsBytes(
      long bytes, int channels, int heads, BufferSizes buffers, NcclSettings settings) {
    int most = settings.integer(NVLS_CHUNKSIZE, NVLS_CHUNK);
    return ofAllHeads(Math.min(stepOfSimple(buffers), most), NVLS_PIECES, bytes, channels, heads);
  }

  /**
   * True if the largest chunks of NVLS and NVLSTree are those without settings.
   *
   * @param settings complete settings
   */
  public static boolean hasUsualNvlsChunks(NcclSettings settings, BufferSizes buffers) {
    return settings.integer(NVLS_CHUNKSIZE, NVLS_CHUNK) == NVLS_CHUNK
        && settings.integer(NVLS_TREE_MAX_CHUNKSIZE, UNSET) == UNSET
        && stepOfSimple(buffers) >= NVLS_CHUNK;
  }

  private static int stepOfSimple(BufferSizes buffers) {
    return buffers.of(Protocol.SIMPLE) / STEPS;
  }

  private static int ofAllHeads(int largest, int[][] pieces, long bytes, int channels, int heads) {
    int chunk = largest;
    for (int[] piece : pieces) {
      if (bytes < (long) piece[1] * channels * heads * chunk) {
        chunk = Math.min(chunk, piece[0]);
      }
    }
    long grains = Math.max(1, chunk / SIMPLE_GRAIN);
    return (int) Math.min(Integer.MAX_VALUE, heads * grains * SIMPLE_GRAIN);
  }

  /**
   * The bytes that a channel moves in one step of a tree by Simple, halved until the tree has
   * enough of them ({@code computeColl}, {@code nccl:src/enqueue.cc}, up to 2.19).
   *
   * @param shareBytes what the channel has to move of the count of the call
   */
  public static int treeBytes(long shareBytes, int nNodes, int nRanks, BufferSizes buffers) {
    int depth = nRanks / nNodes - 1 + levels(nNodes);
    int chunk = stepOfSimple(buffers);
    for (int[] piece : TREE_PIECES) {
      chunk = halved(chunk, piece[0], shareBytes, (double) piece[1] * depth);
    }
    return chunk;
  }

  /** Levels of a tree of nodes above its leaves, as NCCL counts them. */
  private static int levels(int nNodes) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(nNodes);
  }

  /** A chunk, halved until the share has as many as wanted or the chunk is no larger than least. */
  private static int halved(int largest, int least, long shareBytes, double wanted) {
    int chunk = largest;
    while (shareBytes / chunk < wanted && chunk > least) {
      chunk /= 2;
    }
    return chunk;
  }

  /** Trees halve the chunks of LL128 until the pipeline has enough of them. */
  private static int ll128Tree(int largest, long shareBytes, int nNodes, int nRanks) {
    float ranksPerNode = nRanks / (float) nNodes;
    double steps = 1 + levels(nNodes) + 0.1 * ranksPerNode;
    int large = halved(largest, LL128_TREE_LARGE, shareBytes, steps * 64 / ranksPerNode);
    return halved(large, LL128_TREE_SMALL, shareBytes, steps * 16 / ranksPerNode);
  }

  /** True if every rank's part goes round the ring, unlike a pipeline from or to one rank. */
  static boolean goesRound(Collective collective) {
    return switch (collective) {
      case ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER -> true;
      case BROADCAST, REDUCE -> false;
    };
  }
}
