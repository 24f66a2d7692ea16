package dev.topo.visualizer.study;

import dev.topo.simulator.variant.FleetUpgrade;
import dev.topo.simulator.variant.UpgradeResult;
import dev.topo.visualizer.report.UpgradePage;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.SplitAnswer;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Changes by another release, as text, JSON or HTML.
 *
 * @param format its name
 * @param isVerbose whether a text has all that is known, else what fits a screen
 * @param envelope what a page states besides
 */
public record UpgradeAnswer(String format, boolean isVerbose, Envelope envelope) {
  /** The changes for a job, or for the communicators of a split by their labels. */
  public Answer of(Map<String, UpgradeResult> results) {
    return switch (format) {
      case "text" ->
          SplitAnswer.of(
              parts(results, result -> UpgradeText.of(result, isVerbose)), format, isVerbose);
      case "json" -> SplitAnswer.of(parts(results, UpgradeJson::of), format, isVerbose);
      default -> Answer.of(UpgradePage.of(List.copyOf(results.values()), envelope));
    };
  }

  private static List<SplitAnswer.Part> parts(
      Map<String, UpgradeResult> results, Function<UpgradeResult, Answer> view) {
    return results.entrySet().stream()
        .map(
            entry ->
                new SplitAnswer.Part(
                    entry.getKey(),
                    view.apply(entry.getValue()).saying(UpgradeHeadline.of(entry.getValue()))))
        .toList();
  }

  /** The changes for the nodes of a fleet. */
  public Answer of(FleetUpgrade fleet) {
    return switch (format) {
      case "text" -> UpgradeText.of(fleet).saying(UpgradeHeadline.of(fleet));
      case "json" -> UpgradeJson.of(fleet).saying(UpgradeHeadline.of(fleet));
      default -> Answer.of(UpgradePage.of(fleet, envelope));
    };
  }
}
