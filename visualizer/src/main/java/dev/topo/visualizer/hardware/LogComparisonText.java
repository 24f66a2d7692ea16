package dev.topo.visualizer.hardware;

import dev.topo.inspect.log.Fact;
import dev.topo.inspect.log.LogComparison;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.OptionWords.Hint;

/** The statements of a log of real NCCL and the predictions, fact by fact. */
public final class LogComparisonText {
  /** The most differences that are listed; more usually have one cause. */
  private static final int MOST = 10;

  private LogComparisonText() {}

  /**
   * The counts by topic and the first facts that differ.
   *
   * @param isVerbose whether to list all facts, also those that agree
   */
  public static Answer of(String log, LogComparison comparison, boolean isVerbose) {
    TextWriter out = new TextWriter().line("agreement with %s", log);
    TextTable table = TextTable.indented();
    comparison
        .counts()
        .forEach(
            (topic, count) -> table.row(topic.label(), count.equal() + " of " + count.compared()));
    out.table(table);
    int left = isVerbose ? Integer.MAX_VALUE : MOST;
    for (Fact fact : comparison.facts()) {
      if (fact.isEqual() && isVerbose) {
        out.line("  = %s %s: %s", fact.source(), fact.where(), fact.expected());
      } else if (!fact.isEqual() && left-- > 0) {
        out.line(
            "  ! %s %s: NCCL says %s, predicted %s",
            fact.source(), fact.where(), fact.expected(), fact.found());
      }
    }
    int folded = comparison.differences().size() - MOST;
    if (!isVerbose && folded > 0) {
      out.line("  ... and %d more (%s)", folded, Hint.LISTS_ALL);
    }
    return Answer.of(out.lines("  not compared: ", comparison.notCompared()).toString());
  }
}
