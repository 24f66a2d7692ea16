package dev.topo.simulator.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkPoolTest {
  private static final long CHUNK = 2L << 20;
  private static final long LEAST = 512;

  /** The definition: the first chunk that has room, of all that have 512 bytes or more. */
  private static long take(List<Long> room, long bytes) {
    for (int chunk = 0; chunk < room.size(); chunk++) {
      if (room.get(chunk) >= Math.max(bytes, LEAST)) {
        room.set(chunk, room.get(chunk) - bytes);
        return 0;
      }
    }
    room.add(CHUNK - bytes);
    return CHUNK;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void theFirstChunkWithRoomTakesAnAllocation(long seed) {
    Random random = new Random(seed);
    long[] sizes = {512, 4096, 8192, 65536, 100_000, 1 << 20, CHUNK - 512};
    ChunkPool pool = new ChunkPool(CHUNK, 4096);
    List<Long> room = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      long bytes = sizes[random.nextInt(sizes.length)];
      assertEquals(take(room, bytes), pool.take(bytes), "seed " + seed + ", allocation " + i);
    }
  }
}
