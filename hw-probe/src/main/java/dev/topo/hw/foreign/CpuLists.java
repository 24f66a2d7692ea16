package dev.topo.hw.foreign;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** CPU lists in Linux format. */
final class CpuLists {
  /** Maximum number of CPUs of Linux on x86 (CONFIG_NR_CPUS). */
  private static final int MAX_CPUS = 8192;

  private static final int WORD = 8;
  private static final Pattern RANGE = Pattern.compile("[0-9]{1,5}(-[0-9]{1,5})?");

  private CpuLists() {}

  /**
   * Converts a list to a mask in sysfs format: {@code 0-31,64-95} is {@code
   * ffffffff,00000000,ffffffff}.
   *
   * @throws TopologyFormatException if the list is malformed
   */
  static String mask(String list, SourceLocation at) {
    String digits = set(list, at).toString(16);
    String padded = "0".repeat((WORD - digits.length() % WORD) % WORD) + digits;
    List<String> words = new ArrayList<>();
    for (int i = 0; i < padded.length(); i += WORD) {
      words.add(padded.substring(i, i + WORD));
    }
    return String.join(",", words);
  }

  /**
   * Smallest number in a list.
   *
   * @throws TopologyFormatException if the list is malformed
   */
  static int first(String list, SourceLocation at) {
    return set(list, at).getLowestSetBit();
  }

  private static BigInteger set(String list, SourceLocation at) {
    BigInteger set = BigInteger.ZERO;
    for (String part : list.split(",", -1)) {
      String[] ends = part.split("-", 2);
      boolean isRange = RANGE.matcher(part).matches();
      int first = isRange ? Integer.parseInt(ends[0]) : 0;
      int last = isRange ? Integer.parseInt(ends[ends.length - 1]) : -1;
      if (first > last || last >= MAX_CPUS) {
        throw new TopologyFormatException(
            at,
            "'%s': expected a list as 0-31,64-95 of numbers below %s".formatted(part, MAX_CPUS));
      }
      for (int cpu = first; cpu <= last; cpu++) {
        set = set.setBit(cpu);
      }
    }
    return set;
  }
}
