package dev.topo.simulator.memory;

import java.util.Arrays;

/**
 * Memory that CUDA divides into small allocations: the first chunk that has room takes one, else
 * there is a new chunk. An allocation as large as a chunk is one of its own. What is freed is not
 * modelled.
 */
final class ChunkPool {
  /** Chunks with less room than this are taken for full. */
  private static final long LEAST_BYTES = 512;

  private final long chunkBytes;
  private final long grainBytes;
  private long[] room = new long[1];
  private int nChunks;
  private int firstRoom;

  /** The last allocation and its chunk: those before have less room than it needed. */
  private long lastBytes;

  private int lastChunk;

  /**
   * A pool without a chunk.
   *
   * @param grainBytes an allocation as large as a chunk is rounded up to this
   */
  ChunkPool(long chunkBytes, long grainBytes) {
    this.chunkBytes = chunkBytes;
    this.grainBytes = grainBytes;
  }

  /** Allocates some bytes; returns by how many the pool grows. */
  long take(long bytes) {
    if (bytes >= chunkBytes) {
      return Rounding.up(bytes, grainBytes);
    }
    while (firstRoom < nChunks && room[firstRoom] < LEAST_BYTES) {
      firstRoom++;
    }
    int chunk = bytes < lastBytes ? firstRoom : lastChunk;
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
