package dev.topo.cli.output;

import java.util.Locale;

/** Sizes in bytes for people, in powers of 1024. */
public final class SizeText {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
  private static final int STEP = 1024;

  private SizeText() {}

  /** A size to a tenth of its unit: {@code 64 KiB}, {@code 138.4 KiB}. */
  public static String of(long bytes) {
    double value = bytes;
    int unit = 0;
    while (unit < UNITS.length - 1 && value >= STEP) {
      value /= STEP;
      unit++;
    }
    String number = String.format(Locale.ROOT, "%.1f", value);
    return (number.endsWith(".0") ? number.substring(0, number.length() - 2) : number)
        + " "
        + UNITS[unit];
  }
}
