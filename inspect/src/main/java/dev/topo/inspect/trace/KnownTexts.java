package dev.topo.inspect.trace;

import org.jspecify.annotations.Nullable;

/**
 * Cache of repeated texts, each as one object: a trace repeats the names of its kernels a million
 * times. Keeps the last text of each slot of a table, so that its size is fixed.
 */
final class KnownTexts {
  private static final int SIZE = 1 << 12;
  private static final int LONGEST = 512;

  private final @Nullable String[] known = new String[SIZE];

  String of(char[] characters, int offset, int length) {
    if (length > LONGEST) {
      return new String(characters, offset, length);
    }
    int hash = length;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + characters[i];
    }
    int place = (hash ^ hash >>> 12) & SIZE - 1;
    String cached = known[place];
    if (cached != null && isEqual(cached, characters, offset, length)) {
      return cached;
    }
    String text = new String(characters, offset, length);
    known[place] = text;
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
