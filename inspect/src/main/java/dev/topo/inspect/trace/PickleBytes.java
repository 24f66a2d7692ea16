package dev.topo.inspect.trace;

import dev.topo.model.io.TopologyFormatException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads the opcodes of a pickle and their operands, and tracks the byte offset for error messages.
 */
final class PickleBytes {
  /**
   * Maximum length of a text or of a line, in bytes: names and lines of source code are shorter.
   */
  private static final int MAX_BYTES = 1 << 20;

  static final String EXPECTED =
      ", expected a pickle of numbers, texts, lists and dictionaries only";

  private final InputStream in;
  private final String file;
  private long position;
  private long opcodeOffset;

  PickleBytes(InputStream in, String file) {
    this.in = in;
    this.file = file;
  }

  /** Reads the next opcode; errors refer to its offset until the following one is read. */
  int opcode() throws IOException {
    opcodeOffset = position;
    return next();
  }

  /** Number of bytes read. */
  long position() {
    return position;
  }

  int next() throws IOException {
    int next = in.read();
    if (next < 0) {
      throw new EOFException();
    }
    position++;
    return next;
  }

  byte[] bytes(int length) throws IOException {
    byte[] read = in.readNBytes(length);
    position += read.length;
    if (read.length < length) {
      throw new EOFException();
    }
    return read;
  }

  String text(int length) throws IOException {
    return new String(bytes(length), StandardCharsets.UTF_8);
  }

  ByteBuffer littleEndian(int width) throws IOException {
    return ByteBuffer.wrap(bytes(width)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads a little-endian length of 4 or 8 bytes; rejects one above the limit. */
  int length(int width) throws IOException {
    long value = width == 4 ? littleEndian(4).getInt() & 0xffffffffL : littleEndian(8).getLong();
    if (value < 0 || value > MAX_BYTES) {
      throw outOfRange(Long.toUnsignedString(value));
    }
    return (int) value;
  }

  /** Reads an index into the memo, of four bytes. */
  int memoIndex() throws IOException {
    int value = littleEndian(4).getInt();
    if (value < 0) {
      throw outOfRange(Integer.toUnsignedString(value));
    }
    return value;
  }

  TopologyFormatException outOfRange(String value) {
    return wrong("a length or place is out of range (" + value + ")" + EXPECTED);
  }

  String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = next(); c != '\n'; c = next()) {
      line.append((char) c);
      if (line.length() > MAX_BYTES) {
        throw outOfRange("a line of more than " + MAX_BYTES);
      }
    }
    int last = line.length() - 1;
    return last >= 0 && line.charAt(last) == '\r' ? line.substring(0, last) : line.toString();
  }

  /** Requires that only white space follows the value. */
  void requireEnd() throws IOException {
    for (int next = in.read(); next >= 0; next = in.read()) {
      opcodeOffset = position++;
      if (" \t\r\n".indexOf(next) < 0) {
        throw wrong(
            "0x%02x follows the end of the value, expected the end of the file".formatted(next));
      }
    }
  }

  TopologyFormatException wrong(String what) {
    return new TopologyFormatException(file, "byte " + opcodeOffset + ": " + what);
  }
}
