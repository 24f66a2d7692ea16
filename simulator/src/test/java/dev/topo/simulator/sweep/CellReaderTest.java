package dev.topo.simulator.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CellReaderTest {
  /** 50 MB of a text, again and again; counts what is taken of it. */
  private static final class Endless extends Reader {
    private static final long LENGTH = 50_000_000;
    private final String text;
    private long taken;

    Endless(String text) {
      this.text = text;
    }

    @Override
    public int read(char[] buffer, int offset, int length) {
      int count = (int) Math.min(length, LENGTH - taken);
      for (int i = 0; i < count; i++) {
        buffer[offset + i] = text.charAt((int) ((taken + i) % text.length()));
      }
      taken += count;
      return count == 0 ? -1 : count;
    }

    @Override
    public void close() {}
  }

  @Test
  void aTextThatIsNoRowsIsLeftWhereThatShows() {
    for (String text : new String[] {",", "\n", "a", "\"", "\"\"", "a,", "a\n", "\"a\",\n", "\r"}) {
      Endless endless = new Endless(text);
      CellReader reader = new CellReader(endless, 3);
      assertThrows(IOException.class, reader::next, text);
      assertTrue(endless.taken <= (1 << 23) + (1 << 15), text + ": " + endless.taken);
    }
  }

  @Test
  void eachCharacterIsReadOnceAndEqualCellsAreOneObject() throws IOException {
    Endless endless = new Endless("a,\"b,\"\"\n\",\n");
    CellReader reader = new CellReader(endless, 3);
    List<String> first = new ArrayList<>(reader.next());
    assertEquals(List.of("a", "b,\"\n", ""), first);
    long rows = 1;
    try {
      while (!reader.next().isEmpty()) {
        rows++;
      }
    } catch (IOException e) {
      assertEquals("no line feed at its end", e.getMessage()); // 50 MB end within a row
    }
    assertEquals(Endless.LENGTH / 11, rows);
    assertEquals(Endless.LENGTH, endless.taken);
    CellReader two = new CellReader(new StringReader("x,y\nx,z\n"), 2);
    String x = two.next().get(0);
    assertTrue(x == two.next().get(0), "one object");
  }

  @Test
  void whatTheWriterDoesNotWriteIsRefused() {
    for (String text :
        new String[] {"a,b", "a,\"b\"", "a,\"b", "a,\"b\"c\n", "a,b\r\n", "a,b\"\n"}) {
      CellReader reader = new CellReader(new StringReader(text), 2);
      assertThrows(IOException.class, reader::next, text);
    }
  }
}
