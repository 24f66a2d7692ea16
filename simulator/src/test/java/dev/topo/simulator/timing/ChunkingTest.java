package dev.topo.simulator.timing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.BufferSizes;
import dev.topo.search.rules.NcclProfile;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChunkingTest {
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  private static final BufferSizes BUFFERS =
      BufferSizes.of(NcclProfile.DEFAULT, NcclSettings.DEFAULTS, false, true, 0);

  /** KiB of a head's chunk, with 16 channels and 8 heads. */
  private static long chunkKib(long bytes, int nNodes, String... settings) {
    int all = Chunking.nvlsTreeBytes(bytes, 16, 8, nNodes, NcclSettings.parse(List.of(settings)));
    return all / 8 / KIB;
  }

  @Test
  void chunksOfNvlsTreeAreSmallerFromFourNodesOn() {
    assertEquals(128, chunkKib(256 * MIB, 3));
    assertEquals(64, chunkKib(256 * MIB, 4));
    assertEquals(128, chunkKib(256 * MIB, 4, "NCCL_NVLSTREE_MAX_CHUNKSIZE=131072"));
  }

  @Test
  void chunksOfNvlsTreeAreSmallerInSmallCalls() {
    assertEquals(128, chunkKib(64 * MIB, 2));
    assertEquals(64, chunkKib(64 * MIB - 1, 2));
    assertEquals(64, chunkKib(8 * MIB, 2));
    assertEquals(32, chunkKib(8 * MIB - 1, 2));
  }

  @Test
  void aSettingChangesTheChunksOfNvlsTree() {
    assertEquals(256, chunkKib(2048 * MIB, 2, "NCCL_NVLS_CHUNKSIZE=262144"));
    assertEquals(16, chunkKib(2048 * MIB, 2, "NCCL_NVLS_CHUNKSIZE=16384"));
  }

  /** {@code calcCollChunking}: 64, 8 and 2 chunks of each head and channel. */
  @Test
  void chunksOfNvlsAreSmallerInSmallCalls() {
    assertEquals(128, nvlsKib(1024 * MIB));
    assertEquals(64, nvlsKib(1024 * MIB - 1));
    assertEquals(64, nvlsKib(64 * MIB));
    assertEquals(32, nvlsKib(64 * MIB - 1));
    assertEquals(32, nvlsKib(8 * MIB));
    assertEquals(16, nvlsKib(8 * MIB - 1));
    assertEquals(8, nvlsKib(2048 * MIB, "NCCL_NVLS_CHUNKSIZE=8192"));
    assertEquals(512, nvlsKib(1L << 40, "NCCL_NVLS_CHUNKSIZE=1048576"), "a step of the buffers");
  }

  @Test
  void chunksOfMulticastAreMultiplesOfAGrain() {
    NcclSettings settings = NcclSettings.parse(List.of("NCCL_NVLS_CHUNKSIZE=10000"));
    assertEquals(8 * 9728, Chunking.nvlsBytes(2048 * MIB, 16, 8, BUFFERS, settings));
    assertEquals(8 * 9728, Chunking.nvlsTreeBytes(2048 * MIB, 16, 8, 2, settings));
  }

  @Test
  void settingsAndSmallBuffersMakeChunksOfMulticastUnusual() {
    assertTrue(isUsual("NCCL_NVLS_CHUNKSIZE=131072", "NCCL_BUFFSIZE=1048576"));
    assertFalse(isUsual("NCCL_NVLS_CHUNKSIZE=65536"));
    assertFalse(isUsual("NCCL_NVLSTREE_MAX_CHUNKSIZE=131072"));
    assertFalse(isUsual("NCCL_BUFFSIZE=524288"));
  }

  /** {@code computeColl}, 2.19.3: 8 nodes of 4 GPUs are a tree of depth 6. */
  @Test
  void chunksOfTreesBySimpleAreHalvedUntilEveryHopHasSome() {
    assertEquals(512, treeKib(24 * MIB));
    assertEquals(256, treeKib(24 * MIB - 1));
    assertEquals(128, treeKib(6 * MIB));
    assertEquals(128, treeKib(3 * MIB));
    assertEquals(64, treeKib(3 * MIB - 1));
    assertEquals(64, treeKib(384 * KIB));
    assertEquals(32, treeKib(384 * KIB - 1));
    assertEquals(32, treeKib(1));
  }

  private static long treeKib(long shareBytes) {
    return Chunking.treeBytes(shareBytes, 8, 32, BUFFERS) / KIB;
  }

  private static boolean isUsual(String... settings) {
    NcclSettings parsed = NcclSettings.parse(List.of(settings));
    return Chunking.hasUsualNvlsChunks(
        parsed, BufferSizes.of(NcclProfile.DEFAULT, parsed, false, true, 0));
  }

  private static long nvlsKib(long bytes, String... settings) {
    NcclSettings parsed = NcclSettings.parse(List.of(settings));
    return Chunking.nvlsBytes(bytes, 16, 8, BUFFERS, parsed) / 8 / KIB;
  }
}
