package dev.topo.visualizer.hardware;

import dev.topo.inspect.log.Fact;
import dev.topo.inspect.log.LogComparison;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.OptionWords.Hint;

/** Compares a log of real NCCL with the predictions, fact by fact. */
public final class LogComparisonText {
  /** Maximum number of differences listed; many differences usually have one cause. */
  private static final int MAX_DIFFERENCES = 10;

  private LogComparisonText() {}

  /**
   * Returns the counts by topic and the first facts that differ.
   *
   * @param isVerbose whether to list all facts, including those that agree
   */
  public static Answer of(String log, LogComparison comparison, boolean isVerbose) {
    TextWriter out = new TextWriter().line("agreement with %s", log);
    TextTable table = TextTable.indented();
    comparison
        .counts()
        .forEach(
            (topic, count) -> table.row(topic.label(), count.equal() + " of " + count.compared()));
    out.table(table);
    int remaining = isVerbose ? Integer.MAX_VALUE : MAX_DIFFERENCES;
    for (Fact fact : comparison.facts()) {
      if (fact.isEqual() && isVerbose) {
        out.line("  = %s %s: %s", fact.source(), fact.where(), fact.expected());
      } else if (!fact.isEqual() && remaining-- > 0) {
        out.line(
            "  ! %s %s: NCCL says %s, predicted %s",
            fact.source(), fact.where(), fact.expected(), fact.found());
      }
    }
    int folded = comparison.differences().size() - MAX_DIFFERENCES;
    if (!isVerbose && folded > 0) {
      out.line("  ... and %d more (%s)", folded, Hint.LISTS_ALL);
    }
    return Answer.of(out.lines("  not compared: ", comparison.notCompared()).toString());
  }
}
