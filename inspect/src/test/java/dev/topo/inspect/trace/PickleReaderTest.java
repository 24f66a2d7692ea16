package dev.topo.inspect.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.TopologyFormatException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PickleReaderTest {
  private static Object read(byte[] bytes) {
    return PickleReader.read(new ByteArrayInputStream(bytes), "x.pkl");
  }

  private static Object hex(String text) {
    return read(HexFormat.of().parseHex(text.replace(" ", "")));
  }

  /**
   * {@code pickle.dumps({'a': [1, -2, 3.5, None, True], 'b': ('x', 2**70), 'c': b'z'}, 2)} and 4.
   */
  @ParameterizedTest
  @CsvSource({
    "80027d710028580100000061710 15d7102284b014afeffffff47400c0000000000004e886558010000006271035801000000787104"
        + "8a09000000000000000040867105 5801000000637106 430 17a 752e",
    "80049540000000000000007d94288c0161945d94284b014afeffffff47400c0000000000004e88658c0162948c0178948a09000000000000000040"
        + "86948c01639443017a94752e"
  })
  void dataIsReadAsPythonWroteIt(String text) {
    Map<?, ?> map = (Map<?, ?>) hex(text);
    assertEquals(List.of(1L, -2L, 3.5, PickleReader.NONE, true), map.get("a"));
    assertEquals(List.of("x", BigInteger.TWO.pow(70)), map.get("b"));
    assertEquals('z', ((byte[]) map.get("c"))[0]);
  }

  @Test
  void theTextProtocolIsReadToo() {
    byte[] text = "(dp0\nVa\nI1\nsVb\n(lp1\nL5L\naF2.5\nas.".getBytes(StandardCharsets.UTF_8);
    assertEquals(Map.of("a", 1L, "b", List.of(5L, 2.5)), read(text));
  }

  /** Code that {@code pickle.loads} would run: os.system, a class, a persistent id. */
  @ParameterizedTest
  @CsvSource({
    "80026 36f730a73797374656d0a5802000000 6c73 85 52 2e, byte 2: opcode GLOBAL imports a name: refused",
    "80048c026f738c0673797374656d93, byte 14: opcode STACK_GLOBAL imports a name: refused",
    "80024b012952, byte 5: opcode REDUCE calls a function: refused",
    "800228696f730a780a, byte 3: opcode INST makes an object: refused",
    "80024b0181, byte 4: opcode NEWOBJ makes an object: refused",
    "80024b0162, byte 4: opcode BUILD changes an object: refused",
    "80028201, byte 2: opcode EXT1 imports a name: refused",
    "80024b0151, byte 4: opcode BINPERSID refers to another file: refused",
    "80024b01ff, byte 4: 0xff is no opcode of a pickle",
    "80024b, byte 2: the file ends within a value",
    "8002586400000061, byte 2: the file ends within a value",
    "800258ffffffff61, byte 2: a length or place is out of range",
    "80026805, byte 2: nothing is kept under 5",
    "80022e, byte 2: no value is left",
    "800275, byte 2: no mark is left",
    "8002284b0175, byte 5: no value is left",
    "8002 4b01 28 4b01 4b02 75, byte 9: sets an entry of what is no dictionary",
    "8009, byte 0: pickle protocol 9",
    "80024e2e 4e2e, byte 4: 0x4e follows the end of the value",
    "80024e2e 200a00, byte 6: 0x00 follows the end of the value",
    "80025d7100 6800 612e, byte 7: a list contains itself",
    "80027d7100 580100000061 6800 732e, byte 13: a dictionary contains itself",
    "80025d7100 5d7101 6800 61 30 6800 6801 612e, byte 16: a list contains itself",
    "80028b00040000, byte 2: a length or place is out of range",
  })
  void whatIsNotDataIsRefusedAtItsByte(String text, String message) {
    TopologyFormatException e =
        assertThrows(TopologyFormatException.class, () -> hex(text), message);
    assertTrue(String.valueOf(e.getMessage()).startsWith("x.pkl: " + message), e.getMessage());
  }

  /** Each list has the one before it twice, so that going through it would take 2^40 steps. */
  @Test
  void aValueIsRepeatedInProportionToTheBytesOnly() {
    StringBuilder hex = new StringBuilder("80025d7100");
    for (int i = 1; i <= 40; i++) {
      hex.append("5d71%02x2868%02x68%02x65".formatted(i, i - 1, i - 1));
    }
    refused(
        HexFormat.of().parseHex(hex),
        120,
        "a value that repeats others has 8191 values in 113 bytes");
  }

  /** The calls of a dump share their sizes, which share their tensors, and so on. */
  @Test
  void repeatedListsAtSeveralDepthsAreCounted() {
    byte[] few = shared(20);
    long values = values(read(few));
    assertEquals(1 + 20 * (1 + 20 * 21), values);
    assertTrue(values < 64 * few.length, values + " values in " + few.length + " bytes");
    refused(shared(2_000), 20_000, "a value that repeats others has 4002001 values in 8013 bytes");
  }

  private static byte[] shared(int count) {
    return HexFormat.of()
        .parseHex(
            "80025d710028"
                + "4b01".repeat(count)
                + "65305d710128"
                + "6800".repeat(count)
                + "65305d28"
                + "6801".repeat(count)
                + "652e");
  }

  private static long values(Object value) {
    return value instanceof List<?> list
        ? 1 + list.stream().mapToLong(PickleReaderTest::values).sum()
        : 1;
  }

  @Test
  void depthIsBounded() {
    byte[] nested =
        ("]".repeat(200_000) + "a".repeat(199_999) + ".").getBytes(StandardCharsets.UTF_8);
    refused(nested, 200_200, "values are nested more than 100 deep");
    assertEquals(List.of(List.of()), read("]]a.".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void openMarksAreBounded() {
    refused("(".repeat(1 << 20).getBytes(StandardCharsets.UTF_8), 101, "more than 100 open marks");
  }

  @Test
  void theMemoryOfAllValuesIsBounded() {
    PickleStack stack = new PickleStack(new PickleBytes(InputStream.nullInputStream(), "x.pkl"));
    String text = "x".repeat(1 << 20);
    TopologyFormatException e =
        assertThrows(
            TopologyFormatException.class,
            () -> {
              for (int i = 0; i < 513; i++) {
                stack.push(text);
              }
            });
    assertEquals(
        "x.pkl: byte 0: values of more than 512 MiB, expected the dump of a rank", e.getMessage());
  }

  /** Refused with a message, without a byte read behind the place of the fault. */
  private static void refused(byte[] bytes, int most, String message) {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    TopologyFormatException e =
        assertThrows(TopologyFormatException.class, () -> PickleReader.read(in, "x.pkl"));
    assertTrue(String.valueOf(e.getMessage()).contains(": " + message), e.getMessage());
    assertTrue(bytes.length - in.available() <= most, "read " + (bytes.length - in.available()));
  }
}
