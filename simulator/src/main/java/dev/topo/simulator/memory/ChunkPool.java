package dev.topo.simulator.memory;

import dev.topo.model.Rounding;
import java.util.Arrays;

/**
 * Model of the memory that CUDA divides into small allocations: the first chunk with enough room is
 * used, or a new chunk is added. An allocation of at least the size of a chunk gets memory of its
 * own. Freeing is not modelled.
 */
final class ChunkPool {
  /** Chunks with less room than this count as full, in bytes. */
  private static final long MIN_ROOM_BYTES = 512;

  private final long chunkBytes;
  private final long grainBytes;
  private long[] room = new long[1];
  private int nChunks;
  private int firstWithRoom;

  /**
   * Size of the last allocation in bytes; all chunks before {@code lastChunk} have less room than
   * that.
   */
  private long lastBytes;

  private int lastChunk;

  /**
   * A pool without chunks.
   *
   * @param chunkBytes size of a chunk
   * @param grainBytes allocations of at least a chunk are rounded up to a multiple of this
   */
  ChunkPool(long chunkBytes, long grainBytes) {
    this.chunkBytes = chunkBytes;
    this.grainBytes = grainBytes;
  }

  /** Allocates memory, and returns the growth of the pool in bytes. */
  long take(long bytes) {
    if (bytes >= chunkBytes) {
      return Rounding.up(bytes, grainBytes);
    }
    while (firstWithRoom < nChunks && room[firstWithRoom] < MIN_ROOM_BYTES) {
      firstWithRoom++;
    }
    int chunk = bytes < lastBytes ? firstWithRoom : lastChunk;
    while (chunk < nChunks && room[chunk] < bytes) {
      chunk++;
    }
    lastBytes = bytes;
    lastChunk = chunk;
    if (chunk < nChunks) {
      room[chunk] -= bytes;
      return 0;
    }
    if (nChunks == room.length) {
      room = Arrays.copyOf(room, 2 * nChunks);
    }
    room[nChunks] = chunkBytes - bytes;
    nChunks++;
    return chunkBytes;
  }
}
