package dev.topo.inspect.guest;

import dev.topo.model.io.TextWriter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** CPU masks as written in sysfs: groups of 32 bits, {@code 0000ffff,ffffffff}. */
final class CpuMask {
  private static final int GROUP_BITS = 32;
  private static final int DIGITS = 8;
  private static final int HEXADECIMAL = 16;

  private CpuMask() {}

  /** Mask of the first CPUs. */
  static String first(int cpus) {
    BigInteger mask = BigInteger.ONE.shiftLeft(cpus).subtract(BigInteger.ONE);
    List<String> groups = new ArrayList<>();
    for (int bit = 0; bit < cpus; bit += GROUP_BITS) {
      groups.add(0, TextWriter.format("%08x", mask.shiftRight(bit).intValue()));
    }
    return String.join(",", groups);
  }

  /** One more than the highest CPU of a mask; 0 if the mask is malformed. */
  static int end(String mask) {
    String digits = mask.replace(",", "");
    boolean isMask =
        !digits.isEmpty() && digits.chars().allMatch(c -> Character.digit(c, HEXADECIMAL) >= 0);
    boolean isGrouped = mask.chars().filter(c -> c == ',').count() * DIGITS < digits.length();
    return isMask && isGrouped ? new BigInteger(digits, HEXADECIMAL).bitLength() : 0;
  }
}
