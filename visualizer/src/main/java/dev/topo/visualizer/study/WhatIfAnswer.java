package dev.topo.visualizer.study;

import dev.topo.simulator.variant.PlacementReport;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.SplitAnswer;
import java.util.Comparator;
import java.util.Map;

/**
 * A job before and after edits, as text or JSON.
 *
 * @param format its name
 * @param isVerbose whether a text has all that is known, else what fits a screen
 */
public record WhatIfAnswer(String format, boolean isVerbose) {
  private boolean isText() {
    return format.equals("text");
  }

  /** The communicators of a job by their labels; a text begins with the one that changes most. */
  public Answer of(Map<String, WhatIfReport> reports) {
    Comparator<Map.Entry<String, WhatIfReport>> order =
        Comparator.comparingDouble(entry -> isText() ? -change(entry.getValue()) : 0);
    return SplitAnswer.of(
        reports.entrySet().stream()
            .sorted(order)
            .map(
                entry ->
                    new SplitAnswer.Part(
                        entry.getKey(),
                        of(entry.getValue()),
                        entry.getValue().before().result().request().job()))
            .toList(),
        format,
        isVerbose);
  }

  private static double change(WhatIfReport report) {
    return report.variants().stream()
        .flatMap(variant -> variant.outcome().stream())
        .mapToDouble(after -> new CallShift(report.mainCall(), report.before(), after).size())
        .max()
        .orElse(0);
  }

  private Answer of(WhatIfReport report) {
    Answer answer = isText() ? WhatIfText.of(report, isVerbose) : WhatIfJson.of(report);
    return answer.saying(WhatIfHeadline.of(report));
  }

  /**
   * Placements of network cards.
   *
   * @param top how many of the best a text shows
   */
  public Answer of(PlacementReport report, int top) {
    Answer answer =
        isText() ? PlacementsText.of(report, top, isVerbose) : PlacementsJson.of(report);
    return answer.saying(PlacementsHeadline.of(report));
  }
}
