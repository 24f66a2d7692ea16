package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.pair.PairCause;
import dev.topo.simulator.pair.PairReport;
import dev.topo.simulator.pair.PairReport.Level;
import dev.topo.simulator.pair.PairReport.SlowRun;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The result of a matrix of pairs in one sentence: the part at fault, how slow it is, how sure. */
public final class PairHeadline {
  private static final int PERCENT = 100;

  /** Models are never surer than this. */
  private static final double MOST_SURE = 99;

  private PairHeadline() {}

  /** The sentence. */
  public static String of(PairReport report) {
    if (!report.causes().isEmpty()) {
      return cause(report, report.causes().get(0));
    }
    return report.unexplained().isEmpty() ? healthy(report) : unexplained(report);
  }

  private static String healthy(PairReport report) {
    return "No host, port or switch is slow: %s of %s reach%s, and differ by %s only."
        .formatted(
            QuantityFormat.count(report.runs(), "run"),
            QuantityFormat.count(report.hosts(), "host"),
            usual(report).map(level -> " " + number(level.gbps()) + " GB/s").orElse(""),
            String.format(Locale.ROOT, "%.1f %%", report.noisePercent()));
  }

  private static String cause(PairReport report, PairCause cause) {
    String sure =
        String.format(
            Locale.ROOT, "%.0f %% sure", Math.min(MOST_SURE, PERCENT * cause.confidence()));
    String others =
        report.causes().size() > 1
            ? "; %s below".formatted(QuantityFormat.count(report.causes().size() - 1, "more part"))
            : "";
    if (cause.slowRuns() == 0) {
      return "%s has no result in %s (%s): failed, or not in the files%s."
          .formatted(
              capitalised(cause.what()),
              QuantityFormat.count(cause.missing(), "pair"),
              sure,
              others);
    }
    return "%s makes its pairs %.0f %% slower (%s): %s%s%s."
        .formatted(
            capitalised(cause.what()),
            cause.slowerPercent(),
            sure,
            runs(cause),
            usual(report)
                .map(level -> "; healthy ones reach " + number(level.gbps()) + " GB/s")
                .orElse(""),
            others);
  }

  private static String runs(PairCause cause) {
    return cause.slowRuns() == cause.runs()
        ? "all its %s are slow".formatted(QuantityFormat.count(cause.runs(), "run"))
        : "%d of its %s are slow"
            .formatted(cause.slowRuns(), QuantityFormat.count(cause.runs(), "run"));
  }

  private static String unexplained(PairReport report) {
    SlowRun slowest = report.unexplained().get(0);
    return "%s slow for no reason that a host or switch explains, the slowest %s and %s with %s of %s GB/s: repeat %s."
        .formatted(
            report.unexplained().size() == 1
                ? "1 pair is"
                : report.unexplained().size() + " pairs are",
            slowest.first(),
            slowest.second(),
            number(slowest.gbps()),
            number(slowest.expectedGbps()),
            report.unexplained().size() == 1 ? "it" : "them");
  }

  /** The rate that most healthy runs have. */
  private static Optional<Level> usual(PairReport report) {
    return report.levels().stream().max(Comparator.comparingInt(Level::runs));
  }

  private static String number(double gbps) {
    return String.format(Locale.ROOT, gbps < 10 ? "%.1f" : "%.0f", gbps);
  }

  private static String capitalised(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
