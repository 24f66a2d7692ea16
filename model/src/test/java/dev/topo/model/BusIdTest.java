package dev.topo.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Node.BusId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BusIdTest {
  @ParameterizedTest
  @CsvSource({
    "0000:1b:00.0, 1b000",
    "0000:1B:00.0, 1b000",
    "1b:00.0, 1b000",
    "000f:01:00.0, f01000",
    "00000001:00:00.0, 100000",
    "ffff:ff:1f.7, ffffff1f7",
    "0, 0",
    "ffffffffffffffff, ffffffffffffffff",
  })
  void numberIsAllDigitsInARow(String text, String number) {
    assertEquals(Long.parseUnsignedLong(number, 16), new BusId(text).number());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        "...",
        "gpu0",
        "0000:1g:00.0",
        " 1b",
        "-1",
        "0x1b",
        "11112222333344445",
        "١"
      })
  void refusesWhatIsNoBusId(String text) {
    assertFalse(BusId.isBusId(text));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> new BusId(text));
    assertTrue(String.valueOf(e.getMessage()).contains("'" + text + "'"), e.getMessage());
  }

  @Test
  void textIsKeptAsItStands() {
    assertEquals("0000:1B:00.0", new BusId("0000:1B:00.0").toString());
  }
}
