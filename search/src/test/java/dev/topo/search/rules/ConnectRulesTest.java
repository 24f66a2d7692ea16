package dev.topo.search.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectRulesTest {
  /** Columns: the smallest sm of the job, nodes, fewest ranks of a node, slowest port. */
  @ParameterizedTest
  @CsvSource({
    "100, 3, 8, 48, 24",
    "100, 3, 8, 47, 32",
    "100, 3, 9, 48, 24",
    "100, 3, 8, 96, 24",
    "100, 3, 9, 96, 32",
    "100, 2, 8, 96, 32",
    "90, 3, 8, 96, 32",
  })
  void fastPortsOfMoreThanTwoNodesTakeFewerChannelsOfNvls(
      int minSm, int nNodes, int minLocalRanks, float slowestPort, int channels) {
    ConnectRules rules = NcclProfile.of("2.30.3").connect();
    assertEquals(channels, rules.nvlsChannels(100, minSm, nNodes, minLocalRanks, slowestPort));
    ConnectRules older = NcclProfile.of("2.29.7").connect();
    assertEquals(32, older.nvlsChannels(100, minSm, nNodes, minLocalRanks, slowestPort));
  }
}
