package dev.topo.simulator.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.TopologyFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class PartFileTest {
  private static String fault(byte[] packed) {
    return String.valueOf(
        assertThrows(TopologyFormatException.class, () -> Rows.read(packed)).getMessage());
  }

  private static void assertRefused(String expected, List<String> lines) throws IOException {
    String message = fault(Rows.packed(lines));
    assertTrue(message.startsWith("part: is damaged (row "), message);
    assertTrue(message.contains(expected), message);
  }

  @Test
  void rowsAreReadAsTheyWereWritten() throws IOException {
    assertEquals(Rows.part(0), Rows.read(Rows.packed(Rows.text(0))));
  }

  @Test
  void aPartIsGzipOfItsText() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    PartFile.write(Rows.INFO.axes(), Rows.part(0), packed);
    assertEquals(
        Rows.text(0),
        new String(
            new GZIPInputStream(new ByteArrayInputStream(packed.toByteArray())).readAllBytes(),
            StandardCharsets.UTF_8));
  }

  @Test
  void aChangedByteIsFoundOrChangesNoRow() throws IOException {
    byte[] packed = Rows.packed(Rows.text(0));
    for (int at = 0; at < packed.length; at++) {
      for (int bit = 0; bit < 8; bit += 3) {
        byte[] changed = packed.clone();
        changed[at] ^= (byte) (1 << bit);
        try {
          assertEquals(Rows.part(0), Rows.read(changed), "byte " + at);
        } catch (TopologyFormatException e) {
          assertTrue(
              String.valueOf(e.getMessage()).contains("delete it and run the sweep again"),
              e.getMessage());
        }
      }
    }
  }

  @Test
  void whatIsCutOffOrRepeatedIsRefused() throws IOException {
    byte[] packed = Rows.packed(Rows.text(0));
    for (int length = 0; length < packed.length; length++) {
      String message = fault(Arrays.copyOf(packed, length));
      assertTrue(message.contains("delete it and run the sweep again"), message);
    }
    byte[] twice = Arrays.copyOf(packed, 2 * packed.length);
    System.arraycopy(packed, 0, twice, packed.length, packed.length);
    assertTrue(fault(twice).contains("is damaged (row 5: "), fault(twice));
  }

  @Test
  void aCellThatNoRowHasIsRefused() throws IOException {
    for (String time : new String[] {"NaN", "Infinity", "1e999", "five", ""}) {
      List<String> lines = Rows.lines();
      lines.set(2, lines.get(2).replace(",50,", "," + time + ","));
      assertRefused("row 2: ", lines);
    }
    List<String> lines = Rows.lines();
    lines.set(2, lines.get(2) + ",more");
    assertRefused("columns", lines);
  }

  @Test
  void otherColumnsAreRefused() throws IOException {
    List<String> lines = Rows.lines();
    lines.set(0, lines.get(0).replace(",error,", ",fault,"));
    assertTrue(
        fault(Rows.packed(lines)).startsWith("part: has other columns than the sweep"), "columns");
    assertTrue(fault(Rows.packed("")).contains("has other columns"), "empty");
  }
}
