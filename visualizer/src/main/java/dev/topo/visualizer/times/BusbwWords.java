package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.TimeChange;
import dev.topo.simulator.variant.JobChange.BusbwChange;
import dev.topo.visualizer.view.RangedNumber;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Formats predicted busbw and its changes, with as many digits as the ranges justify. */
public final class BusbwWords {
  /** Maximum absolute deviation of a ratio computed from two rounded numbers. */
  private static final double MAX_ROUNDING = 0.015;

  /** Maximum additional deviation, as a fraction of the change. */
  private static final double MAX_RELATIVE_ROUNDING = 0.1;

  /** Changes below this fraction are shown to a tenth of a percent. */
  private static final double MIN_WHOLE_PERCENT = 0.01;

  /** Suffix of a change by a factor of two or more. */
  public static final String TIMES = " times";

  private BusbwWords() {}

  /** Returns the busbw of a prediction in GB/s, with its range if known. */
  public static RangedNumber range(Prediction prediction) {
    double busbw = prediction.busbwGBps();
    OptionalDouble longest = prediction.longestUs();
    return longest.isEmpty()
        ? RangedNumber.withoutRange(busbw)
        : RangedNumber.of(
            busbw,
            busbw * prediction.timeUs() / longest.getAsDouble(),
            busbw * prediction.timeUs() / prediction.shortestUs().orElseThrow());
  }

  /** Returns the busbw, followed by the range in brackets if known. */
  public static String text(Prediction prediction) {
    return range(prediction).text();
  }

  /** Formats a relative change in percent, or as a factor if the value at least doubles. */
  public static String percent(double change) {
    return change >= 1
        ? RangedNumber.withoutRange(1 + change).number() + TIMES
        : QuantityFormat.change(change, Math.abs(change) < MIN_WHOLE_PERCENT ? 1 : 0);
  }

  /**
   * Formats a change with its ranges: {@code 260 (200 to 320) → 195 (150 to 240) GB/s busbw (-24
   * %)}.
   */
  public static String sentence(BusbwChange change) {
    return isKnown(change.before()) == isKnown(change.after())
        ? change(change, number -> number.inBrackets(""), " GB/s busbw", unknown(change))
        : change(change, number -> number.inBrackets(" (range not known)"), " GB/s busbw", "");
  }

  /** Formats a change for a table: {@code 260 → 195 GB/s (-24 %)}. */
  public static String cell(BusbwChange change) {
    return change(change, number -> "", " GB/s", unknown(change));
  }

  private static String change(
      BusbwChange change, Function<RangedNumber, String> range, String unit, String unknown) {
    RangedNumber before = range(change.before());
    RangedNumber after = range(change.after());
    double relative = change.relative();
    String end =
        " (%s%s)".formatted(change.isOfTwoModels() ? "two models" : percent(relative), unknown);
    if (before.number().equals(after.number()) && TimeChange.isNone(relative)) {
      return "stays at " + before.number() + range.apply(before) + unit + end;
    }
    Ends ends = Ends.of(change.before(), change.after(), relative);
    return ends.before + range.apply(before) + " → " + ends.after + range.apply(after) + unit + end;
  }

  /**
   * Busbw before and after a change, without ranges.
   *
   * @param before busbw in GB/s before the change
   * @param after busbw in GB/s after the change
   */
  public record Ends(String before, String after) {
    /**
     * Formats both with as many digits as the ranges justify, or with three digits if a reader who
     * computes the change from fewer would be far off.
     *
     * @param change the relative change
     */
    public static Ends of(Prediction before, Prediction after, double change) {
      Ends ranged = new Ends(range(before).number(), range(after).number());
      double shown = Double.parseDouble(ranged.after) / Double.parseDouble(ranged.before) - 1;
      return Math.abs(shown - change) < MAX_ROUNDING + MAX_RELATIVE_ROUNDING * Math.abs(change)
          ? ranged
          : new Ends(
              QuantityFormat.brief(before.busbwGBps()), QuantityFormat.brief(after.busbwGBps()));
    }
  }

  private static String unknown(BusbwChange change) {
    return isKnown(change.before()) && isKnown(change.after()) ? "" : ", range not known";
  }

  private static boolean isKnown(Prediction prediction) {
    return prediction.spread().isPresent();
  }

  public static String number(double gbps) {
    return TextWriter.format(gbps < 10 ? "%.1f" : "%.0f", gbps);
  }
}
