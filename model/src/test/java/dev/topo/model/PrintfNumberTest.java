package dev.topo.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.QuantityFormat.PrintfNumber;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrintfNumberTest {
  /** The right column is what glibc's {@code printf("%g")} writes. */
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, -0",
    "1, 1",
    "-1, -1",
    "10, 10",
    "0.1, 0.1",
    "-2.5, -2.5",
    "370.8, 370.8",
    "0.24, 0.24",
    "61.8, 61.8",
    "5000, 5000",
    "100000, 100000",
    "123456, 123456",
    "123456.4, 123456",
    "999999, 999999",
    "999999.4, 999999",
    "999999.5, 1e+06",
    "1000000, 1e+06",
    "1234567, 1.23457e+06",
    "-1234567, -1.23457e+06",
    "12345678900, 1.23457e+10",
    "1e100, 1e+100",
    "1.7976931348623157e308, 1.79769e+308",
    "0.001, 0.001",
    "0.0001, 0.0001",
    "0.00012345678, 0.000123457",
    "0.00009999999, 0.0001",
    "0.00001, 1e-05",
    "0.0000123456789, 1.23457e-05",
    "1.5e-7, 1.5e-07",
    "-1.5e-12, -1.5e-12",
    "4.9e-324, 4.94066e-324",
    "3.14159265, 3.14159",
    "2.5000005, 2.5",
    "0.3333333333, 0.333333",
    "0.5000005, 0.5",
    "1.000005, 1.00001",
    "NaN, nan",
    "Infinity, inf",
    "-Infinity, -inf",
  })
  void generalIsCsPercentG(double value, String text) {
    assertEquals(text, PrintfNumber.general(value));
  }

  @Test
  void generalKeepsSixDigitsOfAnyNumber() {
    long seed = Long.getLong("test.seed", 1);
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      double value = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(40) - 20);
      String text = PrintfNumber.general(value);
      String message = value + " as " + text + ", seed " + seed;
      double back = Double.parseDouble(text);
      assertTrue(Math.abs(back - value) <= Math.abs(value) * 5.0000001e-6, message);
      assertEquals(text, PrintfNumber.general(back), message);
      String digits = text.replaceFirst("e.*", "").replaceAll("[-.]", "").replaceFirst("^0+", "");
      assertTrue(digits.length() <= 6, message);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 0x1",
    "27, 0x1b",
    "72057594037927936, 0x100000000000000",
    "9223372036854775807, 0x7fffffffffffffff",
    "-1, 0xffffffffffffffff"
  })
  void hexIsCsPercentHashLx(long value, String text) {
    assertEquals(text, PrintfNumber.hex(value));
  }
}
