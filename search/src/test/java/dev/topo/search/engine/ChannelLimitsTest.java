package dev.topo.search.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.job.NcclSettings;
import dev.topo.search.engine.ChannelPlan.ChannelLimits;
import dev.topo.search.rules.NcclProfile;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ChannelLimitsTest {
  private static ChannelLimits limits(String... settings) {
    return limitsOf("2.28.9", settings);
  }

  private static ChannelLimits limitsOf(String version, String... settings) {
    return ChannelLimits.of(
        NcclSettings.parse(List.of(settings)), NcclProfile.of(version).connect());
  }

  @Test
  void nothingIsLimitedByDefault() {
    assertEquals(new ChannelLimits(0, 64, 1, 64, OptionalInt.empty(), 64), limits());
  }

  @Test
  void newNamesWinOverOldOnes() {
    assertEquals(3, limits("NCCL_MIN_NRINGS=3").minChannels());
    assertEquals(4, limits("NCCL_MIN_NRINGS=3", "NCCL_MIN_NCHANNELS=4").minChannels());
    assertEquals(5, limits("NCCL_MAX_NRINGS=5").maxChannels());
    assertEquals(6, limits("NCCL_MAX_NRINGS=5", "NCCL_MAX_NCHANNELS=6").maxChannels());
  }

  @Test
  void valuesOutOfRangeAreMovedIntoIt() {
    assertEquals(64, limits("NCCL_MIN_NCHANNELS=65").minChannels());
    assertEquals(0, limits("NCCL_MIN_NCHANNELS=-7").minChannels());
    assertEquals(64, limits("NCCL_MAX_NCHANNELS=65").maxChannels());
    assertEquals(1, limits("NCCL_MAX_NCHANNELS=0").maxChannels());
  }

  @Test
  void ctasThatMakeNoSenseAreIgnoredAndTheMaximumWins() {
    assertEquals(1, limits("NCCL_MIN_CTAS=0").minCtas());
    assertEquals(64, limits("NCCL_MAX_CTAS=-1").maxCtas());
    assertEquals(8, limits("NCCL_MIN_CTAS=20", "NCCL_MAX_CTAS=8").minCtas());
    assertEquals(OptionalInt.empty(), limits("NCCL_NVLS_NCHANNELS=0").nvlsCtas());
    assertEquals(OptionalInt.of(8), limits("NCCL_NVLS_NCHANNELS=8").nvlsCtas());
  }

  @Test
  void nvlsChannelsThatMakeNoSenseWereNotAlwaysIgnored() {
    assertEquals(OptionalInt.empty(), limitsOf("2.26.2", "NCCL_NVLS_NCHANNELS=-1").nvlsCtas());
    assertEquals(OptionalInt.of(0), limitsOf("2.26.2", "NCCL_NVLS_NCHANNELS=0").nvlsCtas());
    assertEquals(OptionalInt.of(-1), limitsOf("2.24.3", "NCCL_NVLS_NCHANNELS=-1").nvlsCtas());
  }

  @Test
  void argumentsOfAKernelHaveRoomForSomeChannels() {
    assertEquals(2, limits("NCCL_WORK_ARGS_BYTES=64").maxChannels());
    assertEquals(64, limits("NCCL_WORK_ARGS_BYTES=4294967296").maxChannels());
    // Below the size of the fixed part NCCL's unsigned difference wraps around.
    assertEquals(64, limits("NCCL_WORK_ARGS_BYTES=16").maxChannels());
  }
}
