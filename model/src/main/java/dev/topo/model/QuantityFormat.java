package dev.topo.model;

import dev.topo.model.io.TextWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Formats sizes, times, bandwidths and lists of numbers, for reports and drawings. */
public final class QuantityFormat {
  /** Times of at least this value mark choices of last resort; no call takes that long. */
  private static final double LAST_RESORT_US = 1e30;

  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
  private static final int STEP = 1024;
  private static final int BRIEF_DIGITS = 3;
  private static final int MAX_DECIMALS = 3;

  private QuantityFormat() {}

  /** A size to a tenth of its unit, in powers of 1024: {@code 64 KiB}, {@code 138.4 KiB}. */
  public static String size(long bytes) {
    double value = bytes;
    int unit = 0;
    while (unit < UNITS.length - 1 && value >= STEP) {
      value /= STEP;
      unit++;
    }
    String number = TextWriter.format("%.1f", value);
    return (number.endsWith(".0") ? number.substring(0, number.length() - 2) : number)
        + " "
        + UNITS[unit];
  }

  /** A size as a whole number of the largest possible unit: {@code 64 MiB}, {@code 1000 bytes}. */
  public static String exactSize(long bytes) {
    int unit = 0;
    long number = bytes;
    while (unit < UNITS.length - 1 && number >= STEP && number % STEP == 0) {
      number /= STEP;
      unit++;
    }
    return number + " " + (unit == 0 ? "bytes" : UNITS[unit]);
  }

  /**
   * A time in microseconds, milliseconds or seconds; {@code no time} for a choice of last resort,
   * to which NCCL's model gives the largest number.
   */
  public static String time(double us) {
    if (us >= LAST_RESORT_US) {
      return "no time";
    }
    if (us < 1000) {
      return TextWriter.format("%.1f us", us);
    }
    return us < 1_000_000
        ? TextWriter.format("%.2f ms", us / 1000)
        : TextWriter.format("%.2f s", us / 1_000_000);
  }

  /**
   * A number with three significant digits, for values without a known range: {@code 206}, {@code
   * 80.6}, {@code 1.82}.
   */
  public static String brief(double number) {
    BigDecimal rounded =
        new BigDecimal(number).round(new MathContext(BRIEF_DIGITS, RoundingMode.HALF_UP));
    return (rounded.scale() > MAX_DECIMALS
            ? rounded.setScale(MAX_DECIMALS, RoundingMode.HALF_UP)
            : rounded)
        .stripTrailingZeros()
        .toPlainString();
  }

  /** A time with three significant digits: {@code 272 us}, {@code 1.56 ms}. */
  public static String briefTime(double us) {
    if (us >= LAST_RESORT_US) {
      return "no time";
    }
    double rounded = Double.parseDouble(brief(us));
    if (rounded < 1000) {
      return brief(us) + " us";
    }
    return rounded < 1_000_000 ? brief(us / 1000) + " ms" : brief(us / 1_000_000) + " s";
  }

  /** A time; a dash if unknown. */
  public static String briefTime(OptionalDouble us) {
    return us.isPresent() ? briefTime(us.getAsDouble()) : "-";
  }

  /** A range of times; a common unit is printed once. */
  public static String times(double shortestUs, double longestUs) {
    return span(time(shortestUs), time(longestUs));
  }

  /** A range of times with three significant digits each. */
  public static String briefTimes(double shortestUs, double longestUs) {
    return span(briefTime(shortestUs), briefTime(longestUs));
  }

  private static String span(String shortest, String longest) {
    if (shortest.equals(longest)) {
      return longest;
    }
    String unit = longest.substring(longest.indexOf(' '));
    boolean once = shortest.endsWith(unit);
    return (once ? shortest.substring(0, shortest.length() - unit.length()) : shortest)
        + " to "
        + longest;
  }

  /** A time; a dash if unknown. */
  public static String time(OptionalDouble us) {
    return us.isPresent() ? time(us.getAsDouble()) : "-";
  }

  /** A signed change in percent, without sign where it rounds to zero: {@code +12 %}. */
  public static String change(double part, int decimals) {
    String text = TextWriter.format("%+." + decimals + "f", 100 * part);
    return (text.matches("[+-][0.]+") ? text.substring(1) : text) + " %";
  }

  /**
   * The largest of several fractions in whole percent; with one decimal where it would otherwise
   * read as less than their mean, which has one decimal.
   */
  public static String atMost(double worst, double mean) {
    boolean isClose = worst - mean < 0.01;
    return TextWriter.format(isClose ? "%.1f %%" : "%.0f %%", 100 * worst);
  }

  /**
   * A measured or predicted bandwidth in GB/s, without the unit: two decimals below 10, else one.
   */
  public static String bandwidth(double gbps) {
    return TextWriter.format(gbps < 10 ? "%.2f" : "%.1f", gbps);
  }

  /** A count with its noun: {@code 1 node}, {@code 2 nodes}. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /**
   * The channels that a call is launched on and, if it may use more, their maximum: {@code 16 of at
   * most 24 channels}, or {@code 24 channels} where it uses all.
   */
  public static String channels(int launched, int most) {
    return launched < most ? ofMost(launched, most) + " channels" : count(launched, "channel");
  }

  /** The text of {@link #channels} without the noun: {@code 16 of at most 24}. */
  public static String ofMost(int launched, int most) {
    return ofMost(launched, launched, most, most);
  }

  /**
   * Channels of calls of ascending size, with the maximum if no call reaches it: {@code 1 to 16 of
   * at most 24}.
   */
  public static String ofMost(int from, int to, int mostFrom, int mostTo) {
    String launched = span(from, to);
    int most = Math.max(mostFrom, mostTo);
    return Math.max(from, to) < most ? launched + " of at most " + most : launched;
  }

  /** A fraction in percent: {@code 12.5 %}. */
  public static String percent(double part, int decimals) {
    return TextWriter.format("%." + decimals + "f %%", 100 * part);
  }

  /** A range of numbers: {@code 1 to 16}, or {@code 16} where both are the same. */
  public static String span(int from, int to) {
    return from == to ? String.valueOf(from) : from + " to " + to;
  }

  /** A range of sizes: {@code 4 MiB to 8 MiB}, or one where both are the same. */
  public static String sizes(long first, long last) {
    return first == last ? size(first) : size(first) + " to " + size(last);
  }

  /** The first {@code most} texts and the number of the others: {@code a, b and 3 more}. */
  public static String firstOf(List<String> texts, int most) {
    String first = String.join(", ", texts.subList(0, Math.min(most, texts.size())));
    int more = texts.size() - most;
    return more > 0 ? first + " and " + more + " more" : first;
  }

  /**
   * Joins values into one text.
   *
   * @param between the separator
   * @param text the text of a value
   */
  public static <T> String joined(
      String between, Collection<T> values, Function<? super T, ?> text) {
    return values.stream().map(text).map(String::valueOf).collect(Collectors.joining(between));
  }

  /** Texts enumerated in a sentence: {@code a, b and c}. */
  public static String listed(List<String> texts) {
    int last = texts.size() - 1;
    return last < 1
        ? String.join("", texts)
        : String.join(", ", texts.subList(0, last)) + " and " + texts.get(last);
  }

  /** A noun with ascending numbers: {@code channel 3}, {@code channels 0-3,7}. */
  public static String ranges(String noun, List<Integer> numbers) {
    return noun + (numbers.size() == 1 ? " " : "s ") + ranges(numbers);
  }

  /**
   * A noun with ascending numbers, abbreviated where they are equally spaced: {@code channels
   * 0,4,…,28}.
   */
  public static String steps(String noun, List<Integer> numbers) {
    return noun + (numbers.size() == 1 ? " " : "s ") + steps(numbers);
  }

  /** Ascending numbers with abbreviated ranges: {@code 0-3,7}. */
  public static String ranges(List<Integer> numbers) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < numbers.size(); ) {
      int end = i;
      while (end + 1 < numbers.size() && numbers.get(end + 1) == numbers.get(end) + 1) {
        end++;
      }
      parts.add(
          end == i ? String.valueOf(numbers.get(i)) : numbers.get(i) + "-" + numbers.get(end));
      i = end + 1;
    }
    return String.join(",", parts);
  }

  /** Numbers in the given order, abbreviated where they rise or fall by one: {@code 0-3 7-4 9}. */
  public static String runs(List<Integer> numbers) {
    List<String> parts = new ArrayList<>();
    for (int first = 0; first < numbers.size(); ) {
      int last = endOfRun(numbers, first);
      parts.add(numbers.get(first) + (last == first ? "" : "-" + numbers.get(last)));
      first = last + 1;
    }
    return String.join(" ", parts);
  }

  /** Index of the last number of a run; two numbers do not make a run. */
  private static int endOfRun(List<Integer> numbers, int first) {
    int last = first;
    while (last + 1 < numbers.size()) {
      int step = numbers.get(last + 1) - numbers.get(last);
      if (Math.abs(step) != 1 || step != numbers.get(first + 1) - numbers.get(first)) {
        break;
      }
      last++;
    }
    return last == first + 1 ? first : last;
  }

  /** Ascending numbers, abbreviated if consecutive or equally spaced: {@code 0,4,…,28}. */
  public static String steps(List<Integer> numbers) {
    int last = numbers.size() - 1;
    if (last < 3) {
      return ranges(numbers);
    }
    int step = numbers.get(1) - numbers.get(0);
    boolean isEqual =
        IntStream.range(0, last).allMatch(i -> numbers.get(i + 1) - numbers.get(i) == step);
    return isEqual && step > 1
        ? "%s,%s,…,%s".formatted(numbers.get(0), numbers.get(1), numbers.get(last))
        : ranges(numbers);
  }

  /** Formats numbers as C's {@code printf} does, for output that is compared with NCCL's own. */
  public static final class PrintfNumber {
    private static final int SIGNIFICANT_DIGITS = 6;
    private static final int SMALLEST_PLAIN_EXPONENT = -4;

    private PrintfNumber() {}

    /** The conversion {@code %g}: six significant digits, without trailing zeros. */
    public static String general(double value) {
      if (Double.isNaN(value)) {
        return "nan";
      }
      if (Double.isInfinite(value)) {
        return value < 0 ? "-inf" : "inf";
      }
      if (value == 0) {
        return Double.compare(value, 0.0) < 0 ? "-0" : "0";
      }
      BigDecimal rounded =
          new BigDecimal(value)
              .round(new MathContext(SIGNIFICANT_DIGITS, RoundingMode.HALF_EVEN))
              .stripTrailingZeros();
      int exponent = rounded.precision() - rounded.scale() - 1;
      if (exponent >= SMALLEST_PLAIN_EXPONENT && exponent < SIGNIFICANT_DIGITS) {
        return rounded.toPlainString();
      }
      String digits = rounded.unscaledValue().abs().toString();
      String mantissa =
          digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
      String sign = rounded.signum() < 0 ? "-" : "";
      return sign + mantissa + TextWriter.format("e%+03d", exponent);
    }

    /**
     * The conversion {@code %#lx} that NCCL uses for device numbers in graph files: {@code 0x1b},
     * but {@code 0} for zero.
     */
    public static String hex(long value) {
      return value == 0 ? "0" : "0x" + Long.toHexString(value);
    }
  }
}
