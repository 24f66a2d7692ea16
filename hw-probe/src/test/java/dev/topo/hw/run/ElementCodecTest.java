package dev.topo.hw.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.operation.Call.CollectiveCall.DataType;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ElementCodecTest {
  /** The bits are those of IEEE 754, bfloat16 and the OCP 8-bit formats. */
  @ParameterizedTest
  @CsvSource({
    "INT8, -2, fe",
    "UINT32, 258, 02010000",
    "FLOAT32, 1.5, 0000c03f",
    "FLOAT64, -1, 000000000000f0bf",
    "FLOAT16, 1, 003c",
    "FLOAT16, 65504, ff7b",
    "FLOAT16, 5.960464477539063e-8, 0100",
    "BFLOAT16, 1, 803f",
    "BFLOAT16, 255, 7f43",
    "BFLOAT16, 257, 8043",
    "FLOAT8_E4M3, 1, 38",
    "FLOAT8_E4M3, 448, 7e",
    "FLOAT8_E4M3, 0.001953125, 01",
    "FLOAT8_E5M2, 1, 3c",
    "FLOAT8_E5M2, -7, c7"
  })
  void bitsAreThoseOfTheFormat(DataType type, double value, String hex) {
    byte[] bytes = new byte[type.sizeBytes()];
    ElementCodec.put(type, value, bytes, 0);
    assertArrayEquals(HexFormat.of().parseHex(hex), bytes, HexFormat.of().formatHex(bytes));
  }

  @ParameterizedTest
  @EnumSource(DataType.class)
  void wholeNumbersUpToTheBoundComeBack(DataType type) {
    byte[] bytes = new byte[Long.BYTES];
    for (int i = 0; i <= ElementCodec.exactUpTo(type); i = i < 300 ? i + 1 : i * 3) {
      ElementCodec.put(type, i, bytes, 0);
      assertEquals(i, ElementCodec.get(type, bytes, 0), type + " " + i);
    }
  }

  @Test
  void anOddNumberBeyondTheBoundIsRoundedToEven() {
    byte[] bytes = new byte[2];
    ElementCodec.put(DataType.BFLOAT16, 259, bytes, 0);
    assertEquals(260, ElementCodec.get(DataType.BFLOAT16, bytes, 0));
  }
}
