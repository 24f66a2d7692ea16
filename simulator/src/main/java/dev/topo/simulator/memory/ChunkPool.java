package dev.topo.simulator.memory;

import java.util.ArrayList;
import java.util.List;

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
  private final List<Long> room = new ArrayList<>();
  private int firstRoom;

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
    while (firstRoom < room.size() && room.get(firstRoom) < LEAST_BYTES) {
      firstRoom++;
    }
    for (int chunk = firstRoom; chunk < room.size(); chunk++) {
      if (room.get(chunk) >= bytes) {
        room.set(chunk, room.get(chunk) - bytes);
        return 0;
      }
    }
    room.add(chunkBytes - bytes);
    return chunkBytes;
  }
}
