package dev.topo.search.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.operation.Collective;
import dev.topo.search.rules.LaunchRules.RegistrationRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link RegistrationRules}: numbers as in {@code ncclNvlsRegResourcesQuery}. */
class RegistrationRulesTest {
  private static final RegistrationRules RULES = NcclProfile.DEFAULT.registration();

  /** For a node with one head; eight heads share the channels. */
  @ParameterizedTest
  @CsvSource({
    "ALL_REDUCE, 32, 64, 48, 56",
    "ALL_GATHER, 32, 32, 48, 48",
    "REDUCE_SCATTER, 40, 48, 48, 48"
  })
  void channelsOfNvlsDependOnGenerationAndNodes(
      Collective collective, int hopperAlone, int blackwellAlone, int hopper, int blackwell) {
    assertEquals(hopperAlone, RULES.nvlsChannelsAlone(collective, 90));
    assertEquals(blackwellAlone, RULES.nvlsChannelsAlone(collective, 100));
    assertEquals(hopper, RULES.nvlsChannels(collective, 90, 300));
    assertEquals(blackwell, RULES.nvlsChannels(collective, 103, 400));
  }

  @Test
  void fastNetworksTakeMoreChannelsForReduceScatter() {
    assertEquals(48, RULES.nvlsChannels(Collective.REDUCE_SCATTER, 100, 400));
    assertEquals(56, RULES.nvlsChannels(Collective.REDUCE_SCATTER, 100, 401));
    assertEquals(48, RULES.nvlsChannels(Collective.ALL_GATHER, 100, 401));
  }
}
