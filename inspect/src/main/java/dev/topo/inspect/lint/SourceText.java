package dev.topo.inspect.lint;

import dev.topo.inspect.lint.LintFinding.Place;
import dev.topo.model.io.PlainText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;

/** Bytes of a file, with lines and columns. */
public final class SourceText {
  private static final int MAX_LINE = 400;

  private final String file;
  private final byte[] bytes;
  private final int[] lineStarts;

  public SourceText(String file, byte[] bytes) {
    this.file = file;
    this.bytes = bytes.clone();
    int[] starts = new int[bytes.length + 1];
    int lines = 1;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        starts[lines++] = i + 1;
      }
    }
    this.lineStarts = Arrays.copyOf(starts, lines);
  }

  /** Name of the file, as the user gave it. */
  public String file() {
    return file;
  }

  /** Copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Bytes as characters. */
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Returns the place of some bytes, clipped to the line of the first byte. */
  public Place place(int offset, int length) {
    int at = Math.max(0, Math.min(offset, bytes.length));
    int index = Arrays.binarySearch(lineStarts, at);
    int line = index >= 0 ? index : -index - 2;
    int start = lineStarts[line];
    int end = lineEnd(line);
    int stop = Math.max(at, Math.min(end, at + length));
    return new Place(
        file,
        line + 1,
        characters(start, at) + 1,
        Math.max(1, characters(at, stop)),
        shown(string(start, end)));
  }

  private int lineEnd(int line) {
    return line + 1 < lineStarts.length ? lineStarts[line + 1] - 1 : bytes.length;
  }

  /** Passes each line with the offset of its first byte; each byte is a character. */
  public void forEachLine(BiConsumer<Integer, String> reader) {
    for (int i = 0; i < lineStarts.length; i++) {
      int start = lineStarts[i];
      int length = lineEnd(i) - start;
      reader.accept(start, new String(bytes, start, length, StandardCharsets.ISO_8859_1));
    }
  }

  private int characters(int from, int to) {
    return string(from, to).codePointCount(0, string(from, to).length());
  }

  private String string(int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  private static String shown(String line) {
    int length = Math.min(MAX_LINE, line.codePointCount(0, line.length()));
    return PlainText.oneLine(line.substring(0, line.offsetByCodePoints(0, length))).stripTrailing();
  }

  /** Returns the text after some edits; of overlapping edits only the first is applied. */
  public SourceText edited(List<TextEdit> edits) {
    List<TextEdit> sorted =
        edits.stream()
            .distinct()
            .sorted(Comparator.comparingInt(TextEdit::offset).thenComparingInt(TextEdit::length))
            .toList();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int at = 0;
    for (TextEdit edit : sorted) {
      if (edit.offset() < at || edit.end() > bytes.length) {
        continue;
      }
      out.write(bytes, at, edit.offset() - at);
      out.writeBytes(edit.text().getBytes(StandardCharsets.UTF_8));
      at = edit.end();
    }
    out.write(bytes, at, bytes.length - at);
    return new SourceText(file, out.toByteArray());
  }
}
