package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.TimeChange;
import dev.topo.simulator.variant.JobChange.BusbwChange;
import dev.topo.visualizer.view.RangedNumber;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Predicted busbw and its changes, with as many digits as their ranges justify. */
public final class BusbwWords {
  /** The largest error that rounding may cause in a ratio computed from two shown numbers. */
  private static final double ROUNDING = 0.015;

  /** The largest part of a change that rounding may add. */
  private static final double RELATIVE_ROUNDING = 0.1;

  /** Smaller changes are shown with one decimal of a percent. */
  private static final double WHOLE = 0.01;

  /** The suffix of a change by a factor of two or more. */
  public static final String TIMES = " times";

  private BusbwWords() {}

  /** The busbw of a prediction in GB/s, with its range if known. */
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

  /** The busbw, with the range in brackets if known. */
  public static String text(Prediction prediction) {
    return range(prediction).text();
  }

  /** A relative change in percent; as a factor if it is two or more. */
  public static String percent(double part) {
    return part >= 1
        ? RangedNumber.withoutRange(1 + part).number() + TIMES
        : QuantityFormat.change(part, Math.abs(part) < WHOLE ? 1 : 0);
  }

  /** A change with its ranges: {@code 260 (200 to 320) → 195 (150 to 240) GB/s busbw (-24 %)}. */
  public static String sentence(BusbwChange change) {
    return isKnown(change.before()) == isKnown(change.after())
        ? change(change, number -> number.inBrackets(""), " GB/s busbw", unknown(change))
        : change(change, number -> number.inBrackets(" (range not known)"), " GB/s busbw", "");
  }

  /** A change for a table: {@code 260 → 195 GB/s (-24 %)}. */
  public static String cell(BusbwChange change) {
    return change(change, number -> "", " GB/s", unknown(change));
  }

  private static String change(
      BusbwChange change, Function<RangedNumber, String> range, String unit, String unknown) {
    RangedNumber before = range(change.before());
    RangedNumber after = range(change.after());
    double part = change.relative();
    String end =
        " (%s%s)".formatted(change.isOfTwoModels() ? "two models" : percent(part), unknown);
    if (before.number().equals(after.number()) && TimeChange.isNone(part)) {
      return "stays at " + before.number() + range.apply(before) + unit + end;
    }
    Ends ends = Ends.of(change.before(), change.after(), part);
    return ends.before + range.apply(before) + " → " + ends.after + range.apply(after) + unit + end;
  }

  /**
   * Busbw before and after a change, without ranges.
   *
   * @param before the busbw before
   * @param after the busbw after
   */
  public record Ends(String before, String after) {
    /**
     * Uses as many digits as the ranges justify, but three if a ratio of the rounded numbers would
     * differ too much from the change.
     *
     * @param part the relative change
     */
    public static Ends of(Prediction before, Prediction after, double part) {
      Ends ranged = new Ends(range(before).number(), range(after).number());
      double shown = Double.parseDouble(ranged.after) / Double.parseDouble(ranged.before) - 1;
      return Math.abs(shown - part) < ROUNDING + RELATIVE_ROUNDING * Math.abs(part)
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
