package dev.topo.workload.protobuf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.diagnostic.TopologyFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageReaderTest {
  private static MessageReader reader(String hex) {
    return new MessageReader(
        new ByteArrayInputStream(HexFormat.of().parseHex(hex.replace(" ", ""))), "t.et");
  }

  /** Field 1 is 150, field 2 the text "testing", both as in the description of the format. */
  @Test
  void fieldsAreFoundByNumber() throws IOException {
    MessageReader reader = reader("0c 089601 120774657374696e67 020801");
    Message first = reader.next().orElseThrow();
    assertEquals(OptionalLong.of(150), first.number(1));
    assertEquals(Optional.of("testing"), first.text(2));
    assertEquals(OptionalLong.empty(), first.number(2));
    assertEquals(Optional.empty(), first.text(3));
    assertEquals(OptionalLong.of(1), reader.next().orElseThrow().number(1));
    assertTrue(reader.next().isEmpty());
  }

  @Test
  void negativeNumbersHaveTenBytes() throws IOException {
    Message message = reader("0b 08ffffffffffffffffff01").next().orElseThrow();
    assertEquals(OptionalLong.of(-1), message.number(1));
  }

  @Test
  void fieldsOfOtherTypesArePassedOver() throws IOException {
    Message message = reader("10 0901020304050607080d01020304 1007").next().orElseThrow();
    assertEquals(OptionalLong.of(7), message.number(2));
  }

  @Test
  void aRepeatedMessageIsAList() throws IOException {
    Message message = reader("08 52020801 52020802").next().orElseThrow();
    assertEquals(2, message.messages(10).size());
    assertEquals(OptionalLong.of(2), message.message(10).orElseThrow().number(1));
  }

  @ParameterizedTest
  @CsvSource({
    "'05 0801', 'byte 0: a message of 5 bytes, of which 2 are there'",
    "'ffffffff0f', 'byte 0: a message of 4294967295 bytes, expected at most 67108864'",
    "'ffffffffff01', 'byte 0: no length of a message, expected at most 5 bytes'",
    "'020801 02 0880', 'byte 6: a number ends with its message'",
    "'03 120501', 'byte 1: field 2 of 5 bytes, of which 1 are there'",
    "'02 0b01', 'byte 1: field 1 of wire type 3, expected 0, 1, 2 or 5'",
    "'02 0001', 'byte 1: field 0, expected 1 or more'",
    "'0c 08ffffffffffffffffffff01', 'byte 12: a number of more than 10 bytes'",
  })
  void damageIsNamedWithItsPosition(String hex, String message) {
    MessageReader reader = reader(hex);
    TopologyFormatException e =
        assertThrows(
            TopologyFormatException.class,
            () -> {
              while (reader.next().isPresent()) {
                // Up to the damage.
              }
            });
    assertEquals("t.et: " + message, e.getMessage());
  }
}
