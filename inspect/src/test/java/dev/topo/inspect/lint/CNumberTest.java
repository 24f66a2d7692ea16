package dev.topo.inspect.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.inspect.lint.CNumber.Form;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers as {@code strtol(text, NULL, 0)} stored in an {@code int} gives them. */
class CNumberTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "0, 0, NUMBER",
        "18, 18, NUMBER",
        "-1, -1, NUMBER",
        "+7, 7, NUMBER",
        "` 7`, 7, NUMBER",
        "0x10, 16, NUMBER",
        "0XfF, 255, NUMBER",
        "0x, 0, WITH_TAIL",
        "abc, 0, NONE",
        "``, 0, EMPTY",
        "16x, 16, WITH_TAIL",
        "9O, 9, WITH_TAIL",
        "010, 8, OCTAL",
        "08, 0, OCTAL",
        "01, 1, NUMBER",
        "2147483647, 2147483647, NUMBER",
        "2147483648, -2147483648, TOO_LARGE",
        "4294967297, 1, TOO_LARGE",
        "99999999999999999999, -1, TOO_LARGE",
      })
  void readsAsCDoes(String text, int value, Form form) {
    assertEquals(new CNumber(value, form), CNumber.parse(text));
  }
}
