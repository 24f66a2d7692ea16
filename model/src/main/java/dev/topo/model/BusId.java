package dev.topo.model;

import java.util.Locale;

/**
 * A PCI bus id as in a topology file, {@code 0000:1b:00.0}. NCCL compares bus ids by number: all
 * hexadecimal digits in a row ({@code nccl:src/misc/utils.cc#busIdToInt64}).
 *
 * @param text the id as written
 */
public record BusId(String text) {
  private static final int MAX_DIGITS = 16;

  /**
   * Checks that the text has hexadecimal digits with {@code :} and {@code .} between them and
   * nothing else.
   */
  public BusId {
    if (!isBusId(text)) {
      throw new IllegalArgumentException("'" + text + "' is not a PCI bus id such as 0000:1b:00.0");
    }
  }

  /** True if {@link #BusId} accepts this text. */
  public static boolean isBusId(String text) {
    int digits = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ':' || c == '.') {
        continue;
      }
      if (Character.digit(c, 16) < 0 || c > 'f') {
        return false;
      }
      digits++;
    }
    return digits > 0 && digits <= MAX_DIGITS;
  }

  /** NCCL's number for this bus id: {@code 0000:1b:00.0} is {@code 0x1b000}. */
  public long number() {
    String digits = text.replace(":", "").replace(".", "");
    return Long.parseUnsignedLong(digits.toLowerCase(Locale.ROOT), 16);
  }

  /** The bus id with this number as NCCL writes it ({@code int64ToBusId}). */
  public static BusId of(long number) {
    return new BusId(
        String.format(
            Locale.ROOT,
            "%04x:%02x:%02x.%x",
            number >>> 20,
            (number >>> 12) & 0xff,
            (number >>> 4) & 0xff,
            number & 0xf));
  }

  @Override
  public String toString() {
    return text;
  }
}
