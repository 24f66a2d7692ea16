package dev.topo.simulator.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.TopologyFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;

class PartFileTest {
  /** The fixed part, the name with its end, before the compressed text. */
  private static final int HEADER_BYTES = 10 + 71 + 1;

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

  /** {@code zcat part | sha256sum} shows the same. */
  @Test
  void aPartIsGzipWithTheChecksumOfItsTextAsName() throws IOException {
    byte[] packed = Rows.packed(Rows.text(0));
    byte[] text = new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes();
    assertEquals(Rows.text(0), new String(text, StandardCharsets.UTF_8));
    String name = new String(packed, 10, 71, StandardCharsets.US_ASCII);
    assertEquals("sha256-" + Checksum.of(text), name);
  }

  /**
   * A changed bit is found unless the text is the same without it: the bits that fill the last byte
   * of the compressed text, and a reference that then leads to another copy of the same text.
   */
  @Test
  void aChangedByteIsFoundOrChangesNoRow() throws IOException {
    byte[] packed = Rows.packed(Rows.text(0));
    for (int at = 0; at < packed.length; at++) {
      for (int bit = 0; bit < 8; bit += 3) {
        byte[] changed = packed.clone();
        changed[at] ^= (byte) (1 << bit);
        try {
          assertEquals(Rows.part(0), Rows.read(changed), "byte " + at);
          assertEquals(Rows.text(0), inflated(changed), "byte " + at);
        } catch (TopologyFormatException e) {
          assertTrue(
              String.valueOf(e.getMessage()).contains("delete it and run the sweep again"),
              e.getMessage());
        }
      }
    }
  }

  /** The text of a part, without any check; empty where it cannot be unpacked. */
  private static String inflated(byte[] packed) throws IOException {
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(packed, HEADER_BYTES, packed.length - HEADER_BYTES);
      byte[] text = new byte[2 * Rows.text(0).length()];
      return new String(text, 0, inflater.inflate(text), StandardCharsets.UTF_8);
    } catch (DataFormatException e) {
      return "";
    } finally {
      inflater.end();
    }
  }

  @Test
  void whatIsCutOffOrHasMoreIsRefused() throws IOException {
    byte[] packed = Rows.packed(Rows.text(0));
    for (int length = 0; length < packed.length; length++) {
      String message = fault(Arrays.copyOf(packed, length));
      assertTrue(message.contains("is damaged ("), message);
    }
    assertTrue(
        fault(Arrays.copyOf(packed, packed.length + 1)).contains("bytes after its end"), "one");
    byte[] twice = Arrays.copyOf(packed, 2 * packed.length);
    System.arraycopy(packed, 0, twice, packed.length, packed.length);
    assertTrue(fault(twice).contains("bytes after its end"), "twice");
  }

  @Test
  void aPartWithoutChecksumIsRefused() throws IOException {
    byte[] packed = Rows.packed(Rows.text(0));
    packed[3] = 0;
    assertTrue(fault(packed).contains("no checksum in its header, expected one"), fault(packed));
    assertTrue(
        fault("variant,key\n".getBytes(StandardCharsets.UTF_8)).contains("not compressed by gzip"));
  }

  @Test
  void aNumberThatNoRowHasIsRefused() throws IOException {
    for (String time :
        new String[] {"NaN", "-5", "0", "Infinity", "1e999", "five", "9".repeat(50), "", "0x1p3"}) {
      List<String> lines = Rows.lines();
      lines.set(2, lines.get(2).replace(",50,", "," + time + ","));
      if (!time.equals("0x1p3")) {
        assertRefused("row 3: time_us '" + time + "'", lines);
      }
    }
    List<String> lines = Rows.lines();
    lines.set(2, lines.get(2).replace(",40,", ",NaN,"));
    assertRefused("row 3: time_low_us 'NaN', expected a number from 0 on", lines);
    lines.set(2, lines.get(2).replace(",16,4,1600,", ",16,-4,1600,"));
    assertRefused("row 3: node_nics '-4', expected a number from 0 to 2147483647", lines);
  }

  @Test
  void rowsThatAreDoubledMissingOrOfOthersAreRefused() throws IOException {
    List<String> doubled = new ArrayList<>();
    Rows.lines().forEach(line -> doubled.addAll(List.of(line, line)));
    doubled.remove(0);
    assertRefused("row 3: question all_reduce of 1048576 bytes, expected w", doubled);
    List<String> twice = Rows.lines();
    twice.addAll(twice.subList(1, 5));
    assertRefused("row 6: more rows than those of the variants 0 to 1", twice);
    assertRefused("row 5: no such row: it has not the variants 0 to 1", Rows.lines().subList(0, 4));
    List<String> exchanged = Rows.lines();
    Collections.swap(exchanged, 1, 3);
    assertRefused("row 2: variant 1, expected 0: it has not the variants 0 to 1", exchanged);
    assertTrue(
        fault(Rows.packed(Rows.text(1))).contains("row 2: variant 2, expected 0: it has not"),
        "another part");
    List<String> other = Rows.lines();
    other.set(2, other.get(2).replaceFirst("^0,[^,]*", "0,1"));
    assertRefused("row 3: key 1, expected ", other);
    other = Rows.lines();
    other.set(3, other.get(3).replace("\" x\"", "z"));
    assertRefused("row 4: design m [z], expected m [ x]", other);
    other.set(1, other.get(1).replace(",wide,2,", ",wide,4,"));
    assertRefused("row 2: nodes 4, expected 2", other);
    other.set(1, other.get(1).replace(",wide,", ",rail,"));
    assertRefused("row 2: fabric rail, expected wide", other);
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
