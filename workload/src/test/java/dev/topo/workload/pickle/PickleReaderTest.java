package dev.topo.workload.pickle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.diagnostic.TopologyFormatException;
import java.io.ByteArrayInputStream;
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

  /** What {@code pickle.loads} would run: os.system, a class, a persistent id. */
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
  })
  void whatIsNotDataIsRefusedAtItsByte(String text, String message) {
    TopologyFormatException e =
        assertThrows(TopologyFormatException.class, () -> hex(text), message);
    assertTrue(String.valueOf(e.getMessage()).startsWith("x.pkl: " + message), e.getMessage());
  }

  @Test
  void aListCannotContainItself() {
    assertThrows(TopologyFormatException.class, () -> hex("80025d71006800612e"));
  }
}
