package dev.topo.cli.output.run;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.TextTable;
import dev.topo.inspect.agreement.Fact;
import dev.topo.inspect.agreement.LogComparison;
import java.util.ArrayList;
import java.util.List;

/** What a log of real NCCL says and what was predicted, fact by fact. */
public final class ComparisonText {
  private ComparisonText() {}

  /**
   * The counts by topic and the facts that differ.
   *
   * @param all whether to list the facts that agree, too
   */
  public static Answer of(String log, LogComparison comparison, boolean all) {
    StringBuilder out = new StringBuilder("agreement with ").append(log).append('\n');
    List<List<String>> rows = new ArrayList<>();
    comparison
        .counts()
        .forEach(
            (topic, count) ->
                rows.add(List.of("  " + topic.label(), count.equal() + " of " + count.compared())));
    TextTable.append(out, rows);
    for (Fact fact : comparison.facts()) {
      if (all || !fact.isEqual()) {
        out.append(fact.isEqual() ? "  = " : "  ! ")
            .append(fact.source())
            .append(' ')
            .append(fact.where())
            .append(": ");
        out.append(
            fact.isEqual()
                ? fact.expected()
                : "NCCL says " + fact.expected() + ", predicted " + fact.found());
        out.append('\n');
      }
    }
    comparison
        .notCompared()
        .forEach(line -> out.append("  not compared: ").append(line).append('\n'));
    return Answer.of(out.toString());
  }
}
