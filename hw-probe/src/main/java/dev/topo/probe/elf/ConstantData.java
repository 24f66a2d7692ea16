package dev.topo.probe.elf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks for a text among bytes. */
final class ConstantData {
  private static final int MAX_TEXT = 128;

  private ConstantData() {}

  /** The first match that begins with {@code start}; takes time in the size of the data. */
  static Optional<Matcher> find(ByteBuffer data, String start, Pattern pattern) {
    byte[] wanted = start.getBytes(StandardCharsets.US_ASCII);
    for (int at = 0; at <= data.limit() - wanted.length; at++) {
      if (data.get(at) == wanted[0] && isAt(data, at, wanted)) {
        byte[] bytes = new byte[Math.min(MAX_TEXT, data.limit() - at)];
        data.get(at, bytes);
        Matcher matcher = pattern.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
        if (matcher.lookingAt()) {
          return Optional.of(matcher);
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isAt(ByteBuffer data, int at, byte[] wanted) {
    for (int i = 1; i < wanted.length; i++) {
      if (data.get(at + i) != wanted[i]) {
        return false;
      }
    }
    return true;
  }
}
