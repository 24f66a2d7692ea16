package dev.topo.probe.foreign;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Lists of CPUs as Linux writes them. */
final class CpuLists {
  private static final int MOST = 8192;
  private static final int WORD = 8;

  private CpuLists() {}

  /** The mask of sysfs for a list: {@code 0-31,64-95} is {@code ffffffff,00000000,ffffffff}. */
  static String mask(String list) {
    BigInteger bits = BigInteger.ZERO;
    for (String part : list.split(",", -1)) {
      String[] ends = part.split("-", 2);
      int first = Integer.parseInt(ends[0]);
      int last = Integer.parseInt(ends[ends.length - 1]);
      for (int cpu = first; cpu <= Math.min(last, MOST); cpu++) {
        bits = bits.setBit(cpu);
      }
    }
    String digits = bits.toString(16);
    String padded = "0".repeat((WORD - digits.length() % WORD) % WORD) + digits;
    List<String> words = new ArrayList<>();
    for (int i = 0; i < padded.length(); i += WORD) {
      words.add(padded.substring(i, i + WORD));
    }
    return String.join(",", words);
  }
}
