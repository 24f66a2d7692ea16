package dev.topo.model.operation;

import dev.topo.model.job.SettingException;
import java.math.BigDecimal;
import java.util.Locale;

/** Sizes in bytes as nccl-tests takes them: 8, 64K, 1.5M, 4G, powers of 1024; cut to bytes. */
public final class ByteSize {
  private static final String UNITS = "KMGT";
  private static final String DECIMAL = "\\d{1,20}(\\.\\d{1,20})?";
  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

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
    if (!digits.strip().matches(DECIMAL)) {
      throw notASize(text);
    }
    BigDecimal bytes =
        new BigDecimal(digits.strip()).multiply(BigDecimal.valueOf(1L << (10 * (unit + 1))));
    if (bytes.compareTo(MOST) > 0) {
      throw notASize(text);
    }
    return bytes.longValue();
  }

  private static SettingException notASize(String text) {
    return new SettingException(
        "size '" + text + "': expected a number of bytes such as 8, 64K, 1.5M, 4G or 1T");
  }
}
