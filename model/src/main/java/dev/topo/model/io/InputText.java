package dev.topo.model.io;

import dev.topo.model.io.Diagnostic.SourceLocation;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/** Decodes the text of files and of program output. */
public final class InputText {
  /** Mark that editors and spreadsheets put at the start of a text. */
  private static final String BYTE_ORDER_MARK = "\ufeff";

  private InputText() {}

  /**
   * Decodes the content of a file, without its byte order mark.
   *
   * @param file its name in messages
   * @param expected the expected content, as in {@code a calibration}
   * @throws TopologyFormatException if it is not UTF-8
   */
  public static String of(byte[] content, String file, String expected) {
    ByteBuffer bytes = ByteBuffer.wrap(content);
    CharBuffer text = CharBuffer.allocate(content.length);
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    if (decoder.decode(bytes, text, true).isError()) {
      throw new TopologyFormatException(
          place(file, text.flip().toString()), "is not UTF-8 text, expected " + expected);
    }
    return withoutMark(text.flip().toString());
  }

  /**
   * Decodes the output of a program, without its byte order mark; bytes that are not UTF-8 become
   * replacement characters.
   */
  public static String printed(byte[] content) {
    return withoutMark(new String(content, StandardCharsets.UTF_8));
  }

  private static String withoutMark(String text) {
    return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
  }

  /** The location in a file after the text {@code before}. */
  /** The place in a file after this text. */
  public static SourceLocation place(String file, String before) {
    int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
    return new SourceLocation(file, line, before.length() - before.lastIndexOf('\n'));
  }
}
