package dev.topo.model.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTextTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "mlx5_0", "é 中 \"quoted\" 😀", "a\u00a0b", "नि‍", "x\ufeff"})
  void printableTextStays(String text) {
    assertSame(text, PlainText.oneLine(text));
    assertSame(text, PlainText.lines(text));
    assertEquals(text, written(text));
  }

  @ParameterizedTest
  @CsvSource({
    "0000, ' '",
    "0007, ' '",
    "0008, ' '",
    "001b, ' '",
    "007f, ' '",
    "0085, ' '",
    "009b, ' '",
    "2028, ' '",
    "2029, ' '",
    "061c, ?",
    "200e, ?",
    "200f, ?",
    "202a, ?",
    "202e, ?",
    "2066, ?",
    "2069, ?",
    "206f, ?",
    "d800, ?",
    "dfff, ?"
  })
  void othersAreReplaced(String code, String replacement) {
    char c = (char) Integer.parseInt(code, 16);
    assertEquals("a" + replacement + "b", PlainText.oneLine("a" + c + "b"));
    assertEquals("a" + replacement + "b", PlainText.lines("a" + c + "b"));
    if (!Character.isSurrogate(c)) {
      assertEquals("a" + replacement + "b", written("a" + c + "b"));
    }
  }

  @Test
  void onlyLinesKeepLineFeedsAndTabs() {
    String text = "a\tb\r\nc\rd\n\r";
    assertEquals("a b  c d  ", PlainText.oneLine(text));
    assertEquals("a\tb\r\nc d\n ", PlainText.lines(text));
    assertEquals("a\tb\r\nc d\n", written(text));
  }

  private static String written(String text) {
    StringWriter out = new StringWriter();
    try (Writer writer = PlainText.writer(out)) {
      writer.write(text.substring(0, text.length() / 2));
      writer.append(text, text.length() / 2, text.length());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return out.toString();
  }
}
