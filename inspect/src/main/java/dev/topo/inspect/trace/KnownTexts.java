package dev.topo.inspect.trace;

import org.jspecify.annotations.Nullable;

/**
 * Cache of texts, so that equal texts share one object: a trace repeats the names of its kernels a
 * million times. A table of fixed size keeps the last text of each hash slot.
 */
final class KnownTexts {
  private static final int SIZE = 1 << 12;
  private static final int MAX_LENGTH = 512;

  private final @Nullable String[] slots = new String[SIZE];

  String of(char[] characters, int offset, int length) {
    if (length > MAX_LENGTH) {
      return new String(characters, offset, length);
    }
    int hash = length;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + characters[i];
    }
    int slot = (hash ^ hash >>> 12) & SIZE - 1;
    String cached = slots[slot];
    if (cached != null && isEqual(cached, characters, offset, length)) {
      return cached;
    }
    String text = new String(characters, offset, length);
    slots[slot] = text;
    return text;
  }

  private static boolean isEqual(String text, char[] characters, int offset, int length) {
    if (text.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (text.charAt(i) != characters[offset + i]) {
        return false;
      }
    }
    return true;
  }
}
