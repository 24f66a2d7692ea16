package dev.topo.simulator.verdict;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.search.explain.ExplainedBound.CutLink;
import dev.topo.search.explain.Explanation;
import dev.topo.simulator.verdict.BoundReport.GraphShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Describes a bound in sentences. */
public final class BoundText {
  private static final int SHOWN_LINKS = 4;
  private static final int ALMOST_ALL = 99;

  private BoundText() {}

  /** Explains the bound of a call; empty reports say that nothing limits it. */
  static Explanation explain(Optional<BoundReport> report) {
    return new Explanation(
        "bound",
        report
            .map(BoundText::sentences)
            .orElse(List.of("No link whose rate is known limits this operation.")),
        Optional.empty());
  }

  /** Describes the bound, the links that set it, and NCCL's share of it. */
  static List<String> sentences(BoundReport report) {
    List<String> sentences = new ArrayList<>();
    sentences.add(
        "No schedule of %s over these links takes less than %s for %s: algbw %s GB/s, busbw %s GB/s, set by the %s %s."
            .formatted(
                report.collective().label(),
                QuantityFormat.time(report.timeUs()),
                QuantityFormat.size(report.bytes()),
                QuantityFormat.bandwidth(report.algbwGBps()),
                QuantityFormat.bandwidth(report.busbwGBps()),
                report.cut().size() == 1 ? "link" : report.cut().size() + " links",
                report.side()));
    sentences.add(
        "This cut carries %s GB/s in this direction (raw rate): %s."
            .formatted(QuantityFormat.bandwidth(report.cutGBps()), links(report.cut())));
    if (report.parts() > 1) {
      sentences.add(
          "No switch reduces between these %2$s parts, so that %1$s times the data has to enter them, all nodes together: %3$s receptions until one part has the result, and as many until all have it."
              .formatted(2 * (report.parts() - 1), report.parts(), report.parts() - 1));
    }
    if (report.inSwitchReduction()) {
      sentences.add("Switches reduce here, so that data has to reach them only once.");
    }
    if (!report.graphs().isEmpty()) {
      sentences.add(
          "Share of the bound that NCCL's channels reach, by the raw rates of links: %s."
              .formatted(QuantityFormat.joined(", ", report.graphs(), BoundText::graph)));
    }
    report
        .predicted()
        .ifPresent(
            predicted ->
                sentences.add(
                    "Predicted are %s by %s: %s of the bound."
                        .formatted(
                            QuantityFormat.briefTime(predicted.timeUs()),
                            predicted.by(),
                            percent(predicted.share()))));
    report
        .allLinksTimeUs()
        .ifPresent(
            timeUs ->
                sentences.add(
                    "NCCL uses one path for each pair; over all links of the machine at once the bound would be %s."
                        .formatted(QuantityFormat.time(timeUs))));
    sentences.addAll(report.notCounted());
    return sentences;
  }

  /** Formats the share of the bound that the channels of a graph reach: {@code ring 57 %}. */
  public static String graph(GraphShare share) {
    return share.graph() + " " + percent(share.share());
  }

  /**
   * Formats a share in whole percent, just below 100 with one decimal, so that 100 stands only for
   * the whole bound.
   */
  public static String percent(double share) {
    double percent = 100 * share;
    return percent > ALMOST_ALL && percent < 99.95
        ? TextWriter.format("%.1f %%", percent)
        : TextWriter.format("%.0f %%", percent);
  }

  private static String links(List<CutLink> cut) {
    String first =
        cut.stream()
            .limit(SHOWN_LINKS)
            .map(
                link ->
                    "%s %s to %s (%s)"
                        .formatted(
                            link.type(),
                            link.from(),
                            link.to(),
                            QuantityFormat.bandwidth(link.bandwidthGBps())))
            .collect(Collectors.joining(", "));
    return cut.size() <= SHOWN_LINKS
        ? first
        : first + " and " + (cut.size() - SHOWN_LINKS) + " more";
  }
}
