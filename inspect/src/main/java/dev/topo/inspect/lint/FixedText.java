package dev.topo.inspect.lint;

import java.nio.charset.StandardCharsets;

/** Text that is edited while it is read, with the file offset of each of its bytes. */
final class FixedText {
  private byte[] bytes;
  private int[] origin;

  FixedText(byte[] bytes) {
    this.bytes = bytes.clone();
    this.origin = new int[bytes.length + 1];
    for (int i = 0; i < origin.length; i++) {
      origin[i] = i;
    }
  }

  int length() {
    return bytes.length;
  }

  byte[] bytes() {
    return bytes.clone();
  }

  /** File offset of each byte, followed by the length of the file. */
  int[] origin() {
    return origin.clone();
  }

  char at(int position) {
    return position < bytes.length ? (char) (bytes[position] & 0xff) : '\0';
  }

  String string(int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  static boolean isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }

  /** Start of the white space that ends at a position. */
  int blanksBefore(int position) {
    int from = position;
    while (from > 0 && isBlank(at(from - 1))) {
      from--;
    }
    return from;
  }

  /** End of the white space that begins at a position. */
  int blanksAfter(int position) {
    int to = position;
    while (to < bytes.length && isBlank(at(to))) {
      to++;
    }
    return to;
  }

  /** True if these characters, one byte each, are at a position. */
  boolean startsWith(String characters, int position) {
    for (int i = 0; i < characters.length(); i++) {
      if (at(position + i) != characters.charAt(i)) {
        return false;
      }
    }
    return position + characters.length() <= bytes.length;
  }

  /** First position of these characters at or after a position; -1 if there is none. */
  int find(String characters, int position) {
    for (int i = Math.max(0, position); i + characters.length() <= bytes.length; i++) {
      if (startsWith(characters, i)) {
        return i;
      }
    }
    return -1;
  }

  /** Replaces some bytes. The replacement gets the file offsets of the replaced bytes. */
  void replace(int from, int to, String text) {
    byte[] replacement = text.getBytes(StandardCharsets.UTF_8);
    byte[] newBytes = new byte[bytes.length - (to - from) + replacement.length];
    int[] newOrigin = new int[newBytes.length + 1];
    System.arraycopy(bytes, 0, newBytes, 0, from);
    System.arraycopy(replacement, 0, newBytes, from, replacement.length);
    System.arraycopy(bytes, to, newBytes, from + replacement.length, bytes.length - to);
    System.arraycopy(origin, 0, newOrigin, 0, from);
    for (int i = 0; i < replacement.length; i++) {
      newOrigin[from + i] = Math.min(origin[from] + i, origin[to]);
    }
    System.arraycopy(origin, to, newOrigin, from + replacement.length, origin.length - to);
    bytes = newBytes;
    origin = newOrigin;
  }
}
