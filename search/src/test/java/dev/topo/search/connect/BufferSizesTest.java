package dev.topo.search.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.NcclProfile;
import java.util.List;
import org.junit.jupiter.api.Test;

class BufferSizesTest {
  private static BufferSizes sizes(int nodes, String... settings) {
    return BufferSizes.of(
        NcclProfile.DEFAULT, NcclSettings.parse(List.of(settings)), nodes > 1, true, 0);
  }

  @Test
  void piecesAreLargerOnNvlinkThanOverTheNetwork() {
    assertEquals(new BufferSizes(524288, 4915200, 4194304, 524288), sizes(1));
    assertEquals(new BufferSizes(524288, 4915200, 4194304, 131072), sizes(2));
  }

  @Test
  void piecesAreSmallerWhereNvlinkDoesNotReachEveryGpu() {
    assertEquals(
        131072,
        BufferSizes.of(NcclProfile.DEFAULT, NcclSettings.DEFAULTS, false, false, 0).p2pChunk());
  }

  @Test
  void piecesBetweenNodesOfArmAndBlackwellAreLargerFrom229() {
    assertEquals(131072, netChunk("2.28.9", 100));
    assertEquals(262144, netChunk("2.29.3", 100));
    assertEquals(131072, netChunk("2.29.3", 90));
  }

  private static int netChunk(String version, int armSm) {
    NcclProfile profile = NcclProfile.of(version);
    return BufferSizes.of(profile, NcclSettings.DEFAULTS, true, true, armSm).p2pChunk();
  }

  @Test
  void eightPiecesFitTheBuffer() {
    assertEquals(65536, sizes(1, "NCCL_BUFFSIZE=524288").p2pChunk());
    assertEquals(65536, sizes(2, "NCCL_P2P_NET_CHUNKSIZE=65536").p2pChunk());
    assertEquals(1 << 20, sizes(1, "NCCL_LL_BUFFSIZE=1048576").ll());
    assertEquals(1 << 20, sizes(1, "NCCL_LL128_BUFFSIZE=1048576").ll128());
  }
}
