package dev.topo.model.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.topo.model.job.NcclSettings.NetDevsPolicy;
import dev.topo.model.job.NcclSettings.NetDevsPolicy.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetDevsPolicyTest {
  @ParameterizedTest
  @CsvSource({
    "AUTO, AUTO, 0",
    "auto, AUTO, 0",
    "ALL, ALL, 0",
    "all, ALL, 0",
    "MAX:1, MAX, 1",
    "max:8, MAX, 8",
    "MAX: 2, MAX, 2"
  })
  void readsTheThreeRules(String value, Kind kind, int max) {
    assertEquals(new NetDevsPolicy(kind, max), NetDevsPolicy.parse(value));
  }

  @ParameterizedTest
  @CsvSource({"''", "MAX", "MAX:", "MAX:0", "MAX:-1", "MAX:x", "SOME", "ALL:2"})
  void takesWhatNcclDoesNotUnderstandForAuto(String value) {
    assertEquals(NetDevsPolicy.AUTO, NetDevsPolicy.parse(value));
  }

  @Test
  void aNumberGoesWithMaxAndOnlyWithIt() {
    assertThrows(IllegalArgumentException.class, () -> new NetDevsPolicy(Kind.MAX, 0));
    assertThrows(IllegalArgumentException.class, () -> new NetDevsPolicy(Kind.ALL, 1));
    assertThrows(IllegalArgumentException.class, () -> new NetDevsPolicy(Kind.AUTO, -1));
  }
}
