package dev.topo.simulator.memory;

import dev.topo.model.Rounding;
import java.util.Arrays;

/**
 * Memory that CUDA divides into small allocations: the first chunk with room takes one, otherwise a
 * new chunk is added. An allocation of at least a chunk gets a chunk of its own. Freeing is not
 * modelled.
 */
final class ChunkPool {
  /** Chunks with less room than this count as full, in bytes. */
  private static final long LEAST_BYTES = 512;

  private final long chunkBytes;
  private final long grainBytes;
  private long[] room = new long[1];
  private int nChunks;
  private int firstRoom;

  /**
   * Size of the last allocation in bytes; chunks before {@code lastChunk} have less room than it
   * needed.
   */
  private long lastBytes;

  private int lastChunk;

  /**
   * Pool without chunks.
   *
   * @param grainBytes allocations of at least a chunk are rounded up to a multiple of this
   */
  ChunkPool(long chunkBytes, long grainBytes) {
    this.chunkBytes = chunkBytes;
    this.grainBytes = grainBytes;
  }

  /** Allocates some bytes; returns the growth of the pool in bytes. */
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
