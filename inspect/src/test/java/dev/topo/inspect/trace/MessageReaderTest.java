package dev.topo.inspect.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.topo.model.io.TopologyFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageReaderTest {
  private static MessageReader reader(String hex) {
    return new MessageReader(
        new ByteArrayInputStream(HexFormat.of().parseHex(hex.replace(" ", ""))), "t.et");
  }

  /** Field 1 is 150, field 2 the text "testing", both as in the description of the format. */
  @Test
  void fieldsAreReadInTheirOrder() throws IOException {
    MessageReader reader = reader("0c 089601 120774657374696e67 020801");
    assertTrue(reader.next());
    assertEquals(1 << MessageReader.FIELD_SHIFT | MessageReader.VARINT, reader.tag());
    assertEquals(150, reader.number());
    assertEquals(2 << MessageReader.FIELD_SHIFT | MessageReader.LENGTH_DELIMITED, reader.tag());
    assertEquals("testing", reader.text());
    assertEquals(0, reader.tag());
    assertTrue(reader.next());
    assertEquals(8, reader.tag());
    assertEquals(1, reader.number());
    assertEquals(0, reader.tag());
    assertFalse(reader.next());
  }

  @Test
  void negativeNumbersHaveTenBytes() throws IOException {
    MessageReader reader = reader("0b 08ffffffffffffffffff01");
    reader.next();
    reader.tag();
    assertEquals(-1, reader.number());
  }

  @Test
  void fieldsOfEachTypeAreSkipped() throws IOException {
    MessageReader reader = reader("17 090102030405060708 0d01020304 120178 1b0801 1c 1007");
    reader.next();
    int skipped = 0;
    while (reader.tag() != 16) {
      reader.skip();
      skipped++;
    }
    assertEquals(4, skipped);
    assertEquals(7, reader.number());
  }

  @Test
  void aMessageInAFieldEndsWithItsBytes() throws IOException {
    MessageReader reader = reader("08 52020801 52020802");
    reader.next();
    for (int value = 1; value <= 2; value++) {
      assertEquals(0x52, reader.tag());
      int entered = reader.enter();
      assertEquals(8, reader.tag());
      assertEquals(value, reader.number());
      assertEquals(0, reader.tag());
      reader.leave(entered);
    }
    assertEquals(0, reader.tag());
    assertFalse(reader.next());
  }

  @ParameterizedTest
  @CsvSource({
    "'05 0801', 'byte 0: a message of 5 bytes, of which 2 are there'",
    "'07 08010a0378', 'byte 0: a message of 7 bytes, of which 5 are there'",
    "'020801 05 0a020801', 'byte 3: a message of 5 bytes, of which 4 are there'",
    "'ffffffff0f', 'byte 5: a message of 4294967295 bytes, expected at most 67108864'",
    "'ffffffffffffffffffffff01', 'byte 10: not a message of Protocol Buffers: CodedInputStream encountered a malformed varint'",
    "'020801 02 0880', 'byte 6: not a message of Protocol Buffers: the input ended unexpectedly'",
    "'03 120501', 'byte 4: not a message of Protocol Buffers: the input ended unexpectedly'",
    "'02 0c01', 'byte 2: not a message of Protocol Buffers: Protocol message end-group tag did not match expected tag'",
    "'02 0f01', 'byte 2: not a message of Protocol Buffers: Protocol message tag had invalid wire type'",
    "'02 0001', 'byte 2: not a message of Protocol Buffers: Protocol message contained an invalid tag (zero)'",
    "'0c 08ffffffffffffffffffff01', 'byte 12: not a message of Protocol Buffers: CodedInputStream encountered a malformed varint'",
  })
  void damageIsNamedWithItsPosition(String hex, String message) {
    MessageReader reader = reader(hex);
    String fault =
        fault(
            reader,
            () -> {
              while (reader.next()) {
                while (reader.tag() != 0) {
                  reader.skip();
                }
              }
            });
    assertTrue(fault.startsWith("t.et: " + message), fault);
  }

  private static String fault(MessageReader reader, Executable reading) {
    Throwable e = assertThrows(Throwable.class, reading);
    return String.valueOf(
        (e instanceof InvalidProtocolBufferException fault ? reader.damaged(fault) : e)
            .getMessage());
  }

  /** A group in a group needs a call of a method each. */
  @Test
  void theDepthOfGroupsIsBounded() throws IOException {
    String groups = "0b".repeat(100_000);
    MessageReader reader = reader("a08d06" + groups);
    reader.next();
    reader.tag();
    String fault = fault(reader, reader::skip);
    assertTrue(fault.contains("had too many levels of nesting"), fault);
  }

  @Test
  void aTextIsBounded() throws IOException {
    MessageReader reader = reader("ffffff1f 12ffffff0f");
    reader.next();
    reader.tag();
    TopologyFormatException e = assertThrows(TopologyFormatException.class, reader::text);
    assertEquals(
        "t.et: byte 9: a text of 33554431 bytes, expected at most 1048576", e.getMessage());
  }
}
