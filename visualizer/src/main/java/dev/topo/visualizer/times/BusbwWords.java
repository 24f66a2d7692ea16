package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.TimeChange;
import dev.topo.simulator.variant.JobChange.BusbwChange;
import dev.topo.visualizer.view.RangedNumber;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Predicted busbw and its changes, in as many digits as their ranges are worth. */
public final class BusbwWords {
  /** Largest part by which rounding may change a ratio that a reader works out from two numbers. */
  private static final double ROUNDING = 0.015;

  /** Largest part of a change that rounding may add. */
  private static final double RELATIVE_ROUNDING = 0.1;

  /** Smaller changes are shown to a tenth of a percent. */
  private static final double WHOLE = 0.01;

  /** End of a change of twice and more. */
  public static final String TIMES = " times";

  private BusbwWords() {}

  /** The busbw of a prediction in GB/s, with its range where one is known. */
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

  /** The busbw, then the range in brackets where one is known. */
  public static String text(Prediction prediction) {
    return range(prediction).text();
  }

  /** A change, told as a part, in percent; in times where it is twice or more. */
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
   * @param before before it
   * @param after after it
   */
  public record Ends(String before, String after) {
    /**
     * In as many digits as the ranges are worth; in three where a reader who works out the change
     * from two would not come close to it.
     *
     * @param part the change as a part
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
}
