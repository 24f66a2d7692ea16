package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.pair.PairCause;
import dev.topo.simulator.pair.PairCause.Kind;
import dev.topo.simulator.pair.PairReport;
import dev.topo.simulator.pair.PairReport.Level;
import dev.topo.simulator.pair.PairReport.SlowRun;
import dev.topo.visualizer.times.BusbwWords;
import dev.topo.visualizer.view.Answer.Sentence;
import java.util.Comparator;
import java.util.Optional;

/**
 * Summarises a matrix of host pairs in one sentence: the component at fault, how much slower it is,
 * and how sure the diagnosis is.
 */
public final class HostPairsSentence {
  private HostPairsSentence() {}

  /** Returns the sentence. */
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
            usual(report).map(level -> " " + BusbwWords.number(level.gbps()) + " GB/s").orElse(""),
            TextWriter.format("%.1f %%", report.noisePercent()));
  }

  private static String cause(PairReport report, PairCause cause) {
    String sure = TextWriter.format("%.0f %% sure", HostPairsOutput.sure(cause));
    String others =
        report.causes().size() > 1
            ? "; %s below".formatted(QuantityFormat.count(report.causes().size() - 1, "more part"))
            : "";
    if (cause.slowRuns() == 0) {
      return "%s has no result in %s (%s): failed, or not in the files%s."
          .formatted(
              Sentence.capitalised(cause.what()),
              QuantityFormat.count(cause.missing(), "pair"),
              sure,
              others);
    }
    return "%s makes its pairs %s %% slower (%s): %s%s%s."
        .formatted(
            Sentence.capitalised(cause.what()),
            Math.round(cause.slowerPercent()),
            sure,
            runs(cause),
            usual(report)
                .map(level -> "; healthy ones reach " + BusbwWords.number(level.gbps()) + " GB/s")
                .orElse(""),
            cause.kind() == Kind.EITHER ? "; " + cause.confirm() : others);
  }

  private static String runs(PairCause cause) {
    if (cause.runs() == 1) {
      return "its only run is slow";
    }
    return cause.slowRuns() == cause.runs()
        ? "all its %s are slow".formatted(QuantityFormat.count(cause.runs(), "run"))
        : "%s of its %s are slow"
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
            BusbwWords.number(slowest.gbps()),
            BusbwWords.number(slowest.expectedGbps()),
            report.unexplained().size() == 1 ? "it" : "them");
  }

  /** The rate that most of the healthy runs reach. */
  private static Optional<Level> usual(PairReport report) {
    return report.levels().stream().max(Comparator.comparingInt(Level::runs));
  }
}
