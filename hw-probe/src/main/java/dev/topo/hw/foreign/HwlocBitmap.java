package dev.topo.hw.foreign;

import dev.topo.model.io.TopologyFormatException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Sets of CPUs and NUMA nodes in hwloc's format: {@code 0xffffffff,,0x0000ffff}. */
final class HwlocBitmap {
  private static final Pattern WORD = Pattern.compile("(0x[0-9a-fA-F]{1,8})?");

  /** hwloc's text for an unlimited set. */
  private static final String UNLIMITED = "0xf...f";

  /**
   * Maximum number of words of a set: 8,192 CPUs or NUMA nodes, the most CPUs of Linux on x86
   * (CONFIG_NR_CPUS).
   */
  private static final int MAX_WORDS = 256;

  private HwlocBitmap() {}

  /**
   * Converts a set to sysfs format; empty if the set is unlimited or empty.
   *
   * @throws TopologyFormatException if the set is malformed
   */
  static String mask(PlacedText set, String file) {
    String text = set.text();
    if (text.isEmpty() || text.startsWith(UNLIMITED)) {
      return "";
    }
    String[] words = text.split(",", MAX_WORDS + 1);
    if (words.length > MAX_WORDS
        || !Arrays.stream(words).allMatch(word -> WORD.matcher(word).matches())) {
      throw new TopologyFormatException(
          set.in(file),
          "'%s': expected a set as 0x0000ffff, or several words with commas between them, at most %s"
              .formatted(text.substring(0, Math.min(80, text.length())), MAX_WORDS));
    }
    return Arrays.stream(words)
        .map(word -> word.replace("0x", ""))
        .map(word -> "0".repeat(8 - word.length()) + word)
        .collect(Collectors.joining(","));
  }

  /**
   * The single element of a set; -1 if there are several, or none.
   *
   * @throws TopologyFormatException if the set is malformed
   */
  static String onlyBit(PlacedText set, String file) {
    String digits = mask(set, file).replace(",", "");
    if (digits.isEmpty()) {
      return "-1";
    }
    BigInteger bits = new BigInteger(digits, 16);
    return bits.bitCount() == 1 ? String.valueOf(bits.getLowestSetBit()) : "-1";
  }
}
