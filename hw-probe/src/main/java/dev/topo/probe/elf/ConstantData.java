package dev.topo.probe.elf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Searches bytes for a text. */
final class ConstantData {
  private static final int MAX_TEXT = 128;

  private ConstantData() {}

  /** The first match that begins with {@code start}; takes time in the size of the data. */
  static Optional<Matcher> find(ByteBuffer data, String start, Pattern pattern) {
    char first = start.charAt(0);
    for (int at = 0; at < data.limit(); at++) {
      if (data.get(at) == first && ElfImage.begins(data, at, start)) {
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
}
