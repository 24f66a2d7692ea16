package dev.topo.simulator.timing;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.connect.BufferSizes;

/**
 * Derives the bytes that a channel moves in one step ({@code calcCollChunking}, {@code
 * nccl:src/enqueue.cc}).
 */
public final class Chunking {
  /** Number of steps into which a buffer is divided ({@code NCCL_STEPS}). */
  private static final int BUFFER_STEPS = 8;

  /**
   * Steps of the buffer in a Simple chunk, if data travels around a ring ({@code
   * ALLREDUCE_CHUNKSTEPS}).
   */
  private static final int RING_CHUNK_STEPS = BUFFER_STEPS / 2;

  /** Words in a line of LL128, data and flags. */
  private static final int LL128_LINE_WORDS = 16;

  private static final int LL128_DATA_WORDS = 15;

  /**
   * Unit in which LL128 moves data, in bytes ({@code ncclProtoGrainSize}); chunks are multiples of
   * it.
   */
  private static final int LL128_GRAIN = 1920;

  /**
   * Chunk sizes of trees with Simple, in bytes. Larger chunks are halved down to a size if there
   * are fewer chunks per hop than its second number.
   */
  private static final int[][] TREE_PIECES = {{131_072, 8}, {65_536, 4}, {32_768, 1}};

  private static final int LL128_TREE_LARGE = 131_072;
  private static final int LL128_TREE_SMALL = 32_768;

  private static final String NVLS_CHUNKSIZE = "NCCL_NVLS_CHUNKSIZE";
  private static final String NVLS_TREE_MAX_CHUNKSIZE = "NCCL_NVLSTREE_MAX_CHUNKSIZE";
  private static final int NVLS_CHUNK = 131_072;

  /** Unit of Simple chunks, in bytes ({@code ncclProtoGrainSize}); chunks are multiples of it. */
  private static final int SIMPLE_GRAIN = 512;

  private static final int NVLS_TREE_CHUNK = 65_536;
  private static final int NVLS_TREE_NODES = 4;
  private static final int UNSET = -2;

  /**
   * Chunk sizes of NVLS, in bytes. Larger chunks are reduced to a size if there are fewer chunks
   * per channel and head than its second number.
   */
  private static final int[][] NVLS_PIECES = {{65_536, 64}, {32_768, 8}, {16_384, 2}};

  /** The same for NVLSTree. */
  private static final int[][] NVLS_TREE_PIECES = {
    {262_144, 32}, {131_072, 16}, {65_536, 4}, {32_768, 1}
  };

  private Chunking() {}

  /**
   * Largest number of bytes that a channel moves in one step.
   *
   * @param shareBytes the channel's share of the call's count, in bytes
   */
  public static int chunkBytes(
      Collective collective,
      Algorithm algorithm,
      Protocol protocol,
      long shareBytes,
      int nNodes,
      int nRanks,
      BufferSizes buffers) {
    int step = buffers.of(protocol) / BUFFER_STEPS;
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
   * Bytes that a channel moves in one step with NVLSTree, one chunk per head: smaller from four
   * nodes on and for small calls ({@code calcCollChunking}, 2.19 to 2.30; 2.30 has other sizes for
   * GPUs of compute capability 10 with NICs of 800 Gb/s).
   *
   * @param bytes size of the call
   * @param heads NVLS heads of a node
   */
  public static int nvlsTreeBytes(
      long bytes, int channels, int heads, int nNodes, NcclSettings settings) {
    int chunk = settings.integer(NVLS_CHUNKSIZE, NVLS_CHUNK);
    int maxChunk = settings.integer(NVLS_TREE_MAX_CHUNKSIZE, UNSET);
    if (maxChunk == UNSET) {
      maxChunk = nNodes >= NVLS_TREE_NODES ? NVLS_TREE_CHUNK : chunk;
    }
    return allHeadsBytes(Math.min(chunk, maxChunk), NVLS_TREE_PIECES, bytes, channels, heads);
  }

  /**
   * Bytes that a channel moves in one step with NVLS on one node, one chunk per head ({@code
   * calcCollChunking}, 2.19 to 2.30; before 2.23 the largest chunk could not be set).
   *
   * @param bytes size of the call
   * @param buffers buffer sizes; a chunk is no larger than a step of the Simple buffer
   */
  public static int nvlsBytes(
      long bytes, int channels, int heads, BufferSizes buffers, NcclSettings settings) {
    int maxChunk = settings.integer(NVLS_CHUNKSIZE, NVLS_CHUNK);
    return allHeadsBytes(
        Math.min(simpleStep(buffers), maxChunk), NVLS_PIECES, bytes, channels, heads);
  }

  /**
   * True if the settings leave the largest chunks of NVLS and NVLSTree at their defaults.
   *
   * @param settings complete settings
   */
  public static boolean hasUsualNvlsChunks(NcclSettings settings, BufferSizes buffers) {
    return settings.integer(NVLS_CHUNKSIZE, NVLS_CHUNK) == NVLS_CHUNK
        && settings.integer(NVLS_TREE_MAX_CHUNKSIZE, UNSET) == UNSET
        && simpleStep(buffers) >= NVLS_CHUNK;
  }

  private static int simpleStep(BufferSizes buffers) {
    return buffers.of(Protocol.SIMPLE) / BUFFER_STEPS;
  }

  private static int allHeadsBytes(
      int largest, int[][] pieces, long bytes, int channels, int heads) {
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
   * Bytes that a channel moves in one step of a tree with Simple, halved until the tree has enough
   * chunks ({@code computeColl}, {@code nccl:src/enqueue.cc}, up to 2.19).
   *
   * @param shareBytes the channel's share of the call's count, in bytes
   */
  public static int treeBytes(long shareBytes, int nNodes, int nRanks, BufferSizes buffers) {
    int depth = nRanks / nNodes - 1 + levels(nNodes);
    int chunk = simpleStep(buffers);
    for (int[] piece : TREE_PIECES) {
      chunk = halved(chunk, piece[0], shareBytes, (double) piece[1] * depth);
    }
    return chunk;
  }

  /** Levels of a tree over nodes above its leaves, as NCCL counts them. */
  private static int levels(int nNodes) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(nNodes);
  }

  /**
   * Halves a chunk until the share has the wanted number of chunks or the chunk is at most {@code
   * least} bytes.
   */
  private static int halved(int largest, int least, long shareBytes, double wanted) {
    int chunk = largest;
    while (shareBytes / chunk < wanted && chunk > least) {
      chunk /= 2;
    }
    return chunk;
  }

  /** Chunk of LL128 on a tree, halved until the pipeline has enough chunks. */
  private static int ll128Tree(int largest, long shareBytes, int nNodes, int nRanks) {
    float ranksPerNode = nRanks / (float) nNodes;
    double steps = 1 + levels(nNodes) + 0.1 * ranksPerNode;
    int large = halved(largest, LL128_TREE_LARGE, shareBytes, steps * 64 / ranksPerNode);
    return halved(large, LL128_TREE_SMALL, shareBytes, steps * 16 / ranksPerNode);
  }

  /** True if the data of each rank travels around the ring; false for a pipeline of one rank. */
  static boolean goesRound(Collective collective) {
    return switch (collective) {
      case ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER -> true;
      case BROADCAST, REDUCE -> false;
    };
  }
}
