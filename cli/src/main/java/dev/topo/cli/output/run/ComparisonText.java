package dev.topo.cli.output.run;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.TextTable;
import dev.topo.cli.output.TextWriter;
import dev.topo.inspect.agreement.Fact;
import dev.topo.inspect.agreement.LogComparison;

/** What a log of real NCCL says and what was predicted, fact by fact. */
public final class ComparisonText {
  private ComparisonText() {}

  /**
   * The counts by topic and the facts that differ.
   *
   * @param all whether to list the facts that agree, too
   */
  public static Answer of(String log, LogComparison comparison, boolean all) {
    TextWriter out = new TextWriter().line("agreement with %s", log);
    TextTable table = TextTable.indented();
    comparison
        .counts()
        .forEach(
            (topic, count) -> table.row(topic.label(), count.equal() + " of " + count.compared()));
    out.table(table);
    for (Fact fact : comparison.facts()) {
      if (fact.isEqual() && all) {
        out.line("  = %s %s: %s", fact.source(), fact.where(), fact.expected());
      } else if (!fact.isEqual()) {
        out.line(
            "  ! %s %s: NCCL says %s, predicted %s",
            fact.source(), fact.where(), fact.expected(), fact.found());
      }
    }
    return out.lines("  not compared: ", comparison.notCompared()).answer();
  }
}
