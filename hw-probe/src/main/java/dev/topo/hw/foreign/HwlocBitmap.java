package dev.topo.hw.foreign;

import dev.topo.model.io.TopologyFormatException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Sets of CPUs and NUMA nodes as hwloc writes them: {@code 0xffffffff,,0x0000ffff}. */
final class HwlocBitmap {
  private static final Pattern WORD = Pattern.compile("(0x[0-9a-fA-F]{1,8})?");

  /** hwloc writes a set without an end so. */
  private static final String UNLIMITED = "0xf...f";

  /** 8,192 CPUs or NUMA nodes; Linux has at most as many CPUs on x86 (CONFIG_NR_CPUS). */
  private static final int MOST_WORDS = 256;

  private HwlocBitmap() {}

  /**
   * A set as sysfs writes it; empty if it has no end or no element.
   *
   * @throws TopologyFormatException if it is no set
   */
  static String mask(PlacedText set, String file) {
    String text = set.text();
    if (text.isEmpty() || text.startsWith(UNLIMITED)) {
      return "";
    }
    String[] words = text.split(",", MOST_WORDS + 1);
    if (words.length > MOST_WORDS
        || !Arrays.stream(words).allMatch(word -> WORD.matcher(word).matches())) {
      throw new TopologyFormatException(
          set.in(file),
          "'%s': expected a set as 0x0000ffff, or several words with commas between them, at most %s"
              .formatted(text.substring(0, Math.min(80, text.length())), MOST_WORDS));
    }
    return Arrays.stream(words)
        .map(word -> word.replace("0x", ""))
        .map(word -> "0".repeat(8 - word.length()) + word)
        .collect(Collectors.joining(","));
  }

  /**
   * The only element of a set; -1 if there are several, or none.
   *
   * @throws TopologyFormatException if it is no set
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
