package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.variant.JobChange.BusbwChange;
import dev.topo.visualizer.view.RangedNumber;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Predicted busbw and its changes, in as many digits as their ranges are worth. */
public final class BusbwWords {
  /** What rounding may add to a change that a reader works out from two numbers, as a part. */
  private static final double ROUNDING = 0.015;

  /** The same, as a part of the change. */
  private static final double RELATIVE_ROUNDING = 0.1;

  /** Smaller changes are shown to a tenth of a percent. */
  private static final double WHOLE = 0.01;

  /** What ends a change of twice and more. */
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

  /**
   * Busbw without its range; two digits at least, so that changes that are shown beside it are not
   * lost.
   */
  public static String number(Prediction prediction) {
    RangedNumber ranged = range(prediction);
    double value = ranged.value();
    String two = RangedNumber.withoutRange(value).number();
    boolean isCloser =
        Math.abs(Double.parseDouble(two) - value)
            < Math.abs(Double.parseDouble(ranged.number()) - value);
    return isCloser ? two : ranged.number();
  }

  /** The same, then the range in brackets where one is known. */
  public static String text(Prediction prediction) {
    RangedNumber ranged = range(prediction);
    return number(prediction) + (ranged.low().isEmpty() ? "" : " (" + ranged.range() + ")");
  }

  /** A change, told as a part, in percent; in times where it is twice or more. */
  public static String percent(double part) {
    return part >= 1
        ? RangedNumber.withoutRange(1 + part).number() + TIMES
        : QuantityFormat.change(part, Math.abs(part) < WHOLE ? 1 : 0);
  }

  /** Whether a reader who works out a change from two shown numbers comes close to it. */
  public static boolean isShownBy(Prediction before, Prediction after, double part) {
    double shown = Double.parseDouble(number(after)) / Double.parseDouble(number(before)) - 1;
    return Math.abs(shown - part) < ROUNDING + RELATIVE_ROUNDING * Math.abs(part);
  }

  /** A change with its ranges: {@code 260 (200 to 320) → 195 (150 to 240) GB/s busbw (-24 %)}. */
  public static String sentence(BusbwChange change) {
    boolean isOnlyOneKnown = isKnown(change.before()) != isKnown(change.after());
    return isOnlyOneKnown
        ? change(
            change,
            one -> isKnown(one) ? text(one) : number(one) + " (range not known)",
            "busbw",
            "")
        : change(change, BusbwWords::text, "busbw", unknown(change));
  }

  /** A change for a table: {@code 260 → 195 GB/s (-24 %)}. */
  public static String cell(BusbwChange change) {
    return change(change, BusbwWords::number, "", unknown(change));
  }

  private static String change(
      BusbwChange change, Function<Prediction, String> words, String noun, String unknown) {
    Prediction before = change.before();
    Prediction after = change.after();
    String unit = noun.isEmpty() ? " GB/s" : " GB/s " + noun;
    String percent = change.isOfTwoModels() ? "two models" : percent(change.relative());
    String end = "%s (%s%s)".formatted(unit, percent, unknown);
    if (change.isOfTwoModels() || isShownBy(before, after, change.relative())) {
      return number(before).equals(number(after))
          ? "stays at " + words.apply(after) + end
          : words.apply(before) + " → " + words.apply(after) + end;
    }
    return "%s of %s%s%s"
        .formatted(
            percent,
            words.apply(before),
            unit,
            unknown.isEmpty() ? "" : " (" + unknown.substring(2) + ")");
  }

  private static String unknown(BusbwChange change) {
    return isKnown(change.before()) && isKnown(change.after()) ? "" : ", range not known";
  }

  private static boolean isKnown(Prediction prediction) {
    return prediction.spread().isPresent();
  }
}
