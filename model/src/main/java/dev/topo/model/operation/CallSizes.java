package dev.topo.model.operation;

import dev.topo.model.io.SpecField;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** Sizes of calls as the user names them: {@code 8:8G:2}, {@code 64K,1M,1G} or {@code all}. */
public final class CallSizes {
  /** Those of nccl-tests, and of most questions. */
  public static final String USUAL = "8:8G:2";

  /** Names {@link #USUAL}. */
  private static final String ALL = "all";

  private CallSizes() {}

  /** True if a size is between the first and the last of some; any is where there are none. */
  public static boolean areAround(List<Long> sizes, long size) {
    return sizes.isEmpty() || (size >= sizes.get(0) && size <= sizes.get(sizes.size() - 1));
  }

  /** The sizes in ascending order. */
  public static List<Long> parse(String text) {
    if (text.equals(ALL)) {
      return parse(USUAL);
    }
    TreeSet<Long> list = new TreeSet<>();
    String[] range = text.split(":", -1);
    if (range.length == 1) {
      Arrays.stream(text.split(",", -1)).map(ByteSize::parse).forEach(list::add);
      if (list.first() < 1) {
        throw wrong(text, "expected sizes of at least 1 byte: NCCL does nothing for an empty call");
      }
      return List.copyOf(list);
    }
    long first = ByteSize.parse(range[0]);
    long last = ByteSize.parse(range[1]);
    long factor = range.length > 2 ? ByteSize.parse(range[2]) : 2;
    if (last < first) {
      throw wrong(text, "expected the smaller size first, as in " + USUAL);
    }
    if (range.length > 3 || first < 1 || factor < 2) {
      throw wrong(text, "expected first:last:factor as in " + USUAL);
    }
    list.add(first);
    // Divided, as a product may be more than a number holds.
    for (long size = first; size <= last / factor; ) {
      size *= factor;
      list.add(size);
    }
    return List.copyOf(list);
  }

  private static SpecException wrong(String text, String expected) {
    return new SpecException(SpecField.SIZES, " %s: %s", text, expected);
  }

  /** Sizes in bytes as nccl-tests takes them: 8, 64K, 1.5M, 4G, powers of 1024; cut to bytes. */
  public static final class ByteSize {
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
}
