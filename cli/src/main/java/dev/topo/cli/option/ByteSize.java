package dev.topo.cli.option;

import dev.topo.model.settings.SettingException;
import java.util.Locale;

/** Sizes in bytes as nccl-tests takes them: 8, 64K, 1M, 4G, powers of 1024. */
public final class ByteSize {
  private static final String UNITS = "KMGT";

  private ByteSize() {}

  /** The number of bytes; fails with a usage error. */
  public static long parse(String text) {
    String upper =
        text.strip()
            .toUpperCase(Locale.ROOT)
            .replaceFirst("(?<=[KMGT])(I?B)$", "")
            .replaceFirst("B$", "");
    int unit = upper.isEmpty() ? -1 : UNITS.indexOf(upper.charAt(upper.length() - 1));
    String digits = unit < 0 ? upper : upper.substring(0, upper.length() - 1);
    try {
      return Math.multiplyExact(
          Long.parseLong(digits.strip()), unit < 0 ? 1L : 1L << (10 * (unit + 1)));
    } catch (NumberFormatException | ArithmeticException e) {
      throw new SettingException(
          "size '" + text + "': expected a number of bytes such as 8, 64K, 1M or 4G", e);
    }
  }
}
